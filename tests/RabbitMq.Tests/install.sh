#!/usr/bin/env bash
# Installs the broker that tests/RabbitMq.Tests starts: Debian's rabbitmq-server. No service of it runs afterwards: each test run starts a
# broker of its own. Exits with 1 where the broker cannot be had; the tests are skipped then.
set -euo pipefail
found() { compgen -G '/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin/rabbitmq-server' > /dev/null; }
if found; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get > /dev/null; then
    echo "rabbitmq-server: not there, and only root can install it with apt-get" >&2
    exit 1
fi
# Debian starts a service that is installed, unless this program says no.
made=
if [ ! -e /usr/sbin/policy-rc.d ]; then
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
    chmod +x /usr/sbin/policy-rc.d
    made=yes
fi
finish() { [ -z "$made" ] || rm -f /usr/sbin/policy-rc.d; }
trap finish EXIT
timeout 120 apt-get -qq update
timeout 300 env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends rabbitmq-server > /dev/null
found
