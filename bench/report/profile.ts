/** Where the worker's time goes; found by hand with `node --cpu-prof`, so it stands here as text. */
export const PROFILE = `## Where the rest goes

From CPU profiles (\`node --cpu-prof\`) of both workers over runs of 200 steps: a step of perdure takes about 0.7 ms more on its two
JavaScript threads than one of the floor, where a profiled step of the floor takes 4.9 ms.

- The workflow thread, 0.5 ms. The SDK takes a stack trace of every promise that is made in the sandbox, 12 a step where the floor makes
  6; the bundle that ships keeps four frames of each, or it would be a tenth of a step more. The loop itself, with its digest, its rules
  and the table in the UI, takes 0.2 ms.
- The main thread, 0.2 ms: tokens of reply and observation 0.07 ms, checks by zod 0.03 ms, the timers of the heartbeat, finding the prompt,
  larger messages between the threads.

Steps of a local tool lack one of the two activities, and with it most of what either pays to Temporal.`
