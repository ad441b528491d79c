import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { afterSalesAgent } from '../../examples/after-sales/agents.js'
import { createShop } from '../../examples/after-sales/shop.js'
import { standInReply } from '../../examples/after-sales/stand-in-model.js'
import { AgentClient } from '../../src/client.js'
import { environmentVariable, serverConfig } from '../../src/config.js'
import { callTool, say, startDevServer } from '../../src/testing/index.js'
import { testAgent } from '../kit/agents.js'
import { launchBrowser } from '../kit/browser.js'
import { startHarness } from '../kit/harness.js'

/** Milliseconds for what a page of the UI fetches; a busy machine needs some. */
const PAGE_MS = 60_000
const TEST = { timeout: 4 * PAGE_MS }

test(
  'the Temporal UI shows a run: tools and summaries on the timeline, its steps under User Metadata',
  TEST,
  async (context) => {
    const page = await openPage(context)
    const { address, uiUrl } = await startServerWithUi()
    const agent = afterSalesAgent(await freshShop())
    const { client, taskQueue } = await startHarness({
      agents: [agent],
      respond: standInReply,
      address,
    })
    const backend = await AgentClient.connect({ client: client.client, taskQueue, uiUrl })
    const run = await backend.start(agent, {
      input: 'Why has order A1001 not shipped? If it is late, refund it and email me.',
      context: { customerId: 'c7' },
      id: 'ticket-42',
    })
    const { answer } = await run.result()

    await page.goto(run.url ?? '')
    await page.getByRole('heading', { name: 'ticket-42' }).waitFor()
    await page.getByRole('tab', { name: 'Timeline' }).click()
    const labels = page.getByText(/^\w+ • step \d/)
    await expect
      .poll(async () => (await textsOf(labels)).toSorted(byStep), { timeout: PAGE_MS })
      .toEqual([
        'callModel • step 1 · gpt-4o-mini',
        'lookup_order • step 1 · {orderId: "A1001"}',
        'callModel • step 2 · gpt-4o-mini',
        'refund_policy • step 2 · {orderId: "A1001"}',
        'track_shipment • step 2 · {orderId: "A1001"}',
        'callModel • step 3 · gpt-4o-mini',
        expect.stringMatching(
          /^issue_refund • step 3 · \{orderId: "A1001", amountCents: 8900, reason: /,
        ),
        'callModel • step 4 · gpt-4o-mini',
        expect.stringMatching(/^send_email • step 4 · \{subject: "Your order A1001", body: /),
        'callModel • step 5 · gpt-4o-mini',
      ])

    await page.getByRole('tab', { name: 'User Metadata' }).click()
    expect(await shownIn(page, 'summary')).toBe(
      'after-sales · Why has order A1001 not shipped? If it is late, refund it and email me.',
    )
    const details = await shownIn(page, 'details')
    expect(details).toContain('limits: at most 8 steps')
    expect(details).toContain('perdure show ticket-42')
    const current = await shownIn(page, 'current-details')
    expect(current).toMatch(/after-sales · gpt-4o-mini · at most 8 steps · \d+ tokens/)
    expect(current).toContain('answered')
    expect(current).toContain(answer)
    const rows = page.frameLocator('#user-metadata-current-details').locator('tbody tr')
    const cells = (await rows.all()).map((row) => textsOf(row.locator('td')))
    const tokens = expect.stringMatching(/^\d+$/)
    const seconds = expect.stringMatching(/^\d+\.\d$/)
    expect(await Promise.all(cells)).toEqual([
      ['0', 'strategy: waiting', tokens, seconds],
      ['1', 'lookup_order', tokens, seconds],
      ['2', 'track_shipment, refund_policy', tokens, seconds],
      ['3', 'issue_refund', tokens, seconds],
      ['4', 'send_email', tokens, seconds],
      ['5', 'answer', tokens, seconds],
    ])
    // The UI draws tables without room between the columns: em spaces make it.
    const first = await rows.first().locator('td').allTextContents()
    expect(first).toEqual([
      '0\u2003',
      'strategy: waiting',
      expect.stringMatching(/^\u2003\d+$/),
      expect.stringMatching(/^\u2003\d/),
    ])
  },
)

test('the Temporal UI lists runs by how they ended', TEST, async (context) => {
  const page = await openPage(context)
  const { address, uiUrl } = await startServerWithUi()
  const { client } = await startHarness({
    agents: [testAgent({ limits: { maxSteps: 1 } })],
    script: [say('At once.'), callTool('lookup', { id: 'A1' }), say('All that I have.')],
    address,
  })
  for (const [id, stopReason] of [
    ['ticket-1', 'answered'],
    ['ticket-2', 'max_steps'],
  ] as const) {
    const run = await client.start('test-agent', { input: 'Go', id })
    expect(await run.result()).toMatchObject({ stopReason })
    const query = `PerdureStopReason="${stopReason}"`
    // The server lists a run some time after its end, and the page does not look again.
    await expect.poll(() => idsOf(client, query), { timeout: PAGE_MS }).toEqual([id])
    await page.goto(`${uiUrl}/namespaces/default/workflows?query=${encodeURIComponent(query)}`)
    const links = page.getByRole('link', { name: /^ticket-\d$/ })
    await expect.poll(() => textsOf(links), { timeout: PAGE_MS }).toEqual([id])
  }
})

/** A page of the machine's Chromium. Skips the test, saying why, where there is none; in CI that is a failure. */
async function openPage(context: TestContext): Promise<Page> {
  const browser = await launchBrowser().catch((error: unknown) => {
    if (environmentVariable('CI') !== undefined) throw error
    return context.skip(error instanceof Error ? error.message : String(error))
  })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } })
  page.setDefaultTimeout(PAGE_MS)
  return page
}

/** One of the test's own: the list shows its runs and no others. */
async function startServerWithUi(): Promise<{ readonly address: string; readonly uiUrl: string }> {
  const { path, dir } = serverConfig()
  const server = await startDevServer({ path, dir })
  onTestFinished(() => server.kill())
  return { address: server.address, uiUrl: server.uiUrl ?? '' }
}

async function freshShop() {
  const dir = await mkdtemp(join(tmpdir(), 'perdure-ui-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const shop = createShop({ dir: join(dir, 'shop') })
  onTestFinished(() => shop.close())
  // Its first opening takes seconds, on a busy machine longer than a tool may.
  await shop.database()
  return shop
}

/** The text of one part of User Metadata: the UI renders each in a frame of its own. */
async function shownIn(page: Page, part: 'summary' | 'details' | 'current-details') {
  const body = page.frameLocator(`#user-metadata-${part}`).locator('body')
  await expect.poll(() => body.textContent(), { timeout: PAGE_MS }).toMatch(/\S/)
  return (await body.textContent())?.trim()
}

async function textsOf(locator: Locator): Promise<string[]> {
  return (await locator.allTextContents()).map((text) => text.trim())
}

async function idsOf(client: AgentClient, query: string): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { id } of client.list({ query })) ids.push(id)
  return ids
}

/** The timeline's order is the reader's choice; parallel calls begin in any. */
function byStep(a: string, b: string): number {
  const step = (label: string) => label.replace(/^.*step (\d+).*$/, '$1')
  return step(a).localeCompare(step(b)) || a.localeCompare(b)
}
