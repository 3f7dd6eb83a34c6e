import { expect, test } from 'vitest';
import { freePort } from '#test/support/free-port.ts';
import { HealthPorts } from './health-ports.ts';

const answer = (service: string) => ({ status: 200, headers: { 'x-of': service }, body: '{}' }) as const;

test("serves each Service's port until the port changes or is removed", async () => {
  const [one, other] = [await freePort(), await freePort()];
  const faults: number[] = [];
  const onFault = (_service: string, port: number): void => void faults.push(port);
  await using ports = new HealthPorts({ addresses: ['127.0.0.1'], answer, onFault });
  await ports.sync(new Map([['default/web', one]]));
  const response = await fetch(`http://127.0.0.1:${one}/any`);
  expect([response.status, response.headers.get('x-of')]).toEqual([200, 'default/web']);
  await ports.sync(new Map([['default/web', other]]));
  expect((await fetch(`http://127.0.0.1:${other}/`)).status).toBe(200);
  await expect(fetch(`http://127.0.0.1:${one}/`)).rejects.toThrow();
  await ports.sync(
    new Map([
      ['default/web', other],
      ['default/thief', other],
    ]),
  );
  expect(faults).toEqual([other]);
});
