/** Where the worker's time goes; found by hand with `node --cpu-prof`, so it stands here as text. */
export const PROFILE = `## Where the rest goes

From CPU profiles (\`node --cpu-prof\`) of both workers over runs of 200 steps: a step of perdure takes about 3.3 ms more on its two
JavaScript threads than one of the floor, where a profiled step of the floor takes 8.4 ms.

- The workflow thread, 1.6 ms. Half of it is the SDK's: it takes a stack trace of every promise that is made in the sandbox, and the
  loop with its rules makes twice as many. A third is the loop itself: the digest of the conversation, the window of the repeat rule,
  the table in the UI. The rest encodes larger inputs and results.
- The main thread, 1.7 ms. A third is in perdure's activities: tokens of reply and observation 0.15 ms, checks by zod 0.15 ms, the
  timers of the heartbeat, finding the prompt. The rest is the SDK with more to carry: larger messages between the threads,
  heartbeat time-outs, garbage.

Steps of a local tool lack one of the two activities, and with it most of what either pays to Temporal.`
