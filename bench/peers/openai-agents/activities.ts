import { pageText } from '../../workload.js'

/** The tool. */
export async function read_page({ page }: { page: number }): Promise<string> {
  return pageText(page)
}
