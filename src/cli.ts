#!/usr/bin/env node
import { exitWhenWritten } from './cli/exit.js'
import { main } from './cli/program.js'

const terminal = { out: process.stdout, err: process.stderr }
await main(process.argv.slice(2), terminal)
await exitWhenWritten(terminal)
