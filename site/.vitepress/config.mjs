import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

// The site is the repository's docs/, copied to content/ by ./build, and the API reference beside them.
const site = dirname(dirname(fileURLToPath(import.meta.url)))
const content = join(site, 'content')
const repository = 'https://github.com/blitqueue/blitqueue/blob/main'

// A link that leads out of docs/, or to a folder without a page, leads to the published repository.
function linkOut(md) {
  md.core.ruler.push('link-out', state => {
    const folder = posix.dirname(state.env.relativePath ?? '')
    for (const token of state.tokens.flatMap(one => one.children ?? [])) {
      if (token.type !== 'link_open') continue
      const href = token.attrGet('href')
      if (/^(https?:|mailto:|#|\/)/.test(href)) continue
      const path = posix.normalize(posix.join(folder, decodeURI(href.split('#')[0])))
      const file = join(content, path)
      if (path.startsWith('..')) token.attrSet('href', `${repository}/${path.slice(3)}`)
      else if (existsSync(file) && statSync(file).isDirectory() && !existsSync(join(file, 'README.md')))
        token.attrSet('href', `${repository}/docs/${path}`)
    }
  })
}

const pages = names => names.map(([text, link]) => ({ text, link }))

export default defineConfig({
  title: 'BlitQueue',
  description: 'A typed, durable queue in a directory, for the processes of one machine',
  srcDir: 'content',
  outDir: 'dist',
  cacheDir: '.cache',
  cleanUrls: false,
  rewrites: { 'reliability/README.md': 'reliability/index.md', 'diagnostics/README.md': 'diagnostics/index.md' },
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  markdown: {
    config: linkOut,
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: pages([['Tutorial', '/tutorial'], ['Which way', '/which'], ['Options', '/options'], ['API', '/api/']]),
    socialLinks: [{ icon: 'github', link: 'https://github.com/blitqueue/blitqueue' }],
    sidebar: {
      '/api/': [{ text: 'API reference', link: '/api/', items: existsSync(join(content, 'api/types.json'))
        ? JSON.parse(readFileSync(join(content, 'api/types.json'), 'utf8')) : [] }],
      '/': [
        { text: 'Begin', items: pages([['Tutorial', '/tutorial'], ['Concepts', '/concepts'], ['Which way', '/which'],
          ['Coming from', '/coming-from'], ['MemoryPack', '/memorypack']]) },
        { text: 'Send and receive', items: pages([['Subscriptions', '/subscriptions'], ['Consuming', '/consuming'], ['Async', '/async'],
          ['Transactions', '/transactions'], ['Properties, lanes', '/properties'], ['Express queues', '/express'], ['Shared memory', '/shared-memory'], ['Calls', '/rpc'], ['Options', '/options']]) },
        { text: 'Messages', items: pages([['Versions of a type', '/evolution'], ['Views', '/views'], ['Reuse', '/reuse'], ['Raw bytes', '/raw'],
          ['Streams', '/streams'], ['Diagnostics', '/diagnostics/']]) },
        { text: 'Run', items: pages([['Deploy', '/deploy'], ['Systems', '/platforms'], ['Hosting', '/hosting'], ['ASP.NET', '/aspnet'], ['RabbitMQ', '/rabbitmq'],
          ['Operations', '/operations'], ['The tool', '/tool'], ['Observability', '/observability'],
          ['Levels of durability', '/durability'], ['Failures', '/failures'], ['Repair', '/repair'], ['Security', '/SECURITY']]) },
        { text: 'Inside', items: pages([['Architecture', '/ARCHITECTURE'], ['Format', '/FORMAT'], ['Reliability', '/reliability/']]) },
      ],
    },
  },
})
