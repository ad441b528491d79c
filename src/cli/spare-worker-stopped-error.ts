/** The process was told to stop while it worked a run itself. The run is not lost. */
export class SpareWorkerStoppedError extends Error {
  override name = 'SpareWorkerStoppedError'

  constructor(id: string) {
    super(
      `Stopped. Run ${id} is still open: any worker goes on with it; "perdure show ${id}" tells how far it is, "perdure cancel ${id}" ends it.`,
    )
  }
}
