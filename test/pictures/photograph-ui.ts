import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../kit/browser.js'

/** The columns of the list, as a reader may choose them in the UI. */
const COLUMNS = [
  'Status',
  'Workflow ID',
  'PerdureAgent',
  'PerdureStopReason',
  'PerdureSteps',
  'PerdureTokens',
]
/** Where the UI keeps what its reader chose; the navigation is folded away. */
const CHOICES = {
  navOpen: 'false',
  'namespace-workflow-table-columns': JSON.stringify({
    default: COLUMNS.map((label) => ({ label })),
  }),
}

/** Which run, and where its pictures go. */
export interface UiPictures {
  /** Base address of the UI. */
  readonly uiUrl: string
  /** The run of the timeline, with its run id. */
  readonly run: { readonly id: string; readonly runId: string }
  readonly folder: string
}

/** Takes `timeline.png` of one run and `runs.png` of all that were answered. */
export async function photographUi({ uiUrl, run, folder }: UiPictures): Promise<void> {
  const browser = await launchBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1400, height: 1100 } })
    await context.addInitScript(`Object.assign(localStorage, ${JSON.stringify(CHOICES)})`)
    const page = await context.newPage()
    const workflows = `${uiUrl}/namespaces/default/workflows`

    await page.goto(`${workflows}/${run.id}/${run.runId}/timeline`)
    await page.getByRole('button', { name: 'Descending' }).click()
    await page.getByText(/^send_email • step/).waitFor()
    await photograph(page, join(folder, 'timeline.png'))

    await page.setViewportSize({ width: 1400, height: 610 })
    await page.goto(`${workflows}?query=${encodeURIComponent('PerdureStopReason="answered"')}`)
    await page.getByRole('link', { name: run.id }).waitFor()
    await photograph(page, join(folder, 'runs.png'))
  } finally {
    await browser.close()
  }
}

/** Without a pointer or a blinking cursor in it, so that nothing differs but the runs. */
async function photograph(page: Page, path: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
}
