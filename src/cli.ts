#!/usr/bin/env node
import * as nodeModule from 'node:module'

// Node 22.8 and newer can keep what they compiled: the next start takes a tenth less work. Only what is
// imported after this is kept. Node 20 has no such function.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => unknown }
enableCompileCache?.()
const { main } = await import('./cli/program.js')
const { exitWhenWritten } = await import('./cli/exit.js')

// Whoever read has gone, such as head: nothing is left to say, and that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})
const terminal = { out: process.stdout, err: process.stderr }
await main(process.argv.slice(2), terminal)
await exitWhenWritten(terminal)
