import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { onLoopback } from '#test/loopback.ts';
import { Exchange } from './exchange.ts';
import { faultOf } from './faults.ts';

async function exchangeWith(answer: RequestListener, timeout = 5_000): Promise<Exchange> {
  const server = createServer(answer);
  const { port, close } = await onLoopback(server);
  const exchange = new Exchange(new URL(`http://127.0.0.1:${port}`), timeout);
  onTestFinished(async () => {
    exchange.close();
    await close();
  });
  return exchange;
}

test('answers come whole, over one connection', async () => {
  const ports = new Set<number | undefined>();
  const exchange = await exchangeWith((request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(request.method === 'POST' ? 200 : 405);
    request.on('data', (part: Buffer) => response.write(part.toString().repeat(20_000)));
    request.on('end', () => response.end());
  });
  for (let again = 0; again < 3; again += 1)
    expect(await exchange.post({ 'content-length': '2' }, 'ab')).toEqual({ status: 200, text: 'ab'.repeat(20_000) });
  expect(ports.size).toBe(1);
});

test.each<[string, RequestListener, string]>([
  ['no answer', () => {}, 'TimeoutError'],
  ['half an answer', (_, response) => void response.write('{'), 'TimeoutError'],
  ['a connection that is lost', (request) => void request.socket.destroy(), 'ECONNRESET'],
  ['one that is lost in the answer', (_, response) => void response.write('{', () => response.destroy()), 'ECONNRESET'],
])('%s leaves open whether it was carried out', async (_, answer, name) => {
  const exchange = await exchangeWith(answer, 100);
  const error: unknown = await exchange.post({}, '{}').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name });
  expect(faultOf(error)).toBe('ambiguous');
});

test('nobody listens', async () => {
  const exchange = new Exchange(new URL(`http://127.0.0.1:${await freePort()}`), 5_000);
  await expect(exchange.post({}, '{}')).rejects.toMatchObject({ name: 'ECONNREFUSED' });
  exchange.close();
});

test('who takes a connection and says no word of TLS is given up', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const exchange = new Exchange(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`), 100);
  await expect(exchange.post({}, '{}')).rejects.toMatchObject({ name: 'TimeoutError' });
  exchange.close();
  server.close();
});
