import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { whyUnreachable } from '../../../src/doctor/why-unreachable.js'

async function listening() {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    await once(server, 'close')
  }
  return { address: `127.0.0.1:${port}`, close }
}

it('a port that nobody has', async () => {
  const { address, close } = await listening()
  await close()
  expect(await whyUnreachable(address)).toBe('nothing listens there')
})

it('a port that something else has', async () => {
  const { address, close } = await listening()
  onTestFinished(close)
  expect(await whyUnreachable(address)).toContain('no Temporal server answers')
})

it('a name that no host has', async () => {
  expect(await whyUnreachable('nowhere.invalid:7233')).not.toBe('')
})
