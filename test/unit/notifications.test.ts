import { expect, test } from 'vitest';
import { numbers } from '#lib/server/channel/testing/ends.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { Fleet } from '../support/notifications/fleet.ts';

const PODS = core('pods');
const SECRETS = core('secrets');

const createSecret = (fleet: Fleet, name: string) =>
  fleet.admin.create(SECRETS, { metadata: { name, namespace: 'default' }, data: { word: 'YQ==' } });
const changeSecret = (fleet: Fleet, name: string, word: string) =>
  fleet.admin.patch(refOf(SECRETS, 'default', name), { data: { word } });
const using = (secretName: string) => ({ volumes: [{ name: 'words', secret: { secretName } }] });

test('a pod runs after one notification, one poll and one list from its binding on', async () => {
  await using fleet = await Fleet.start({ size: 2, isCounted: true });
  await fleet.createPod('first', 'n0');
  await fleet.settle();
  await fleet.createPod('web');
  await fleet.settle();
  fleet.forget();
  const target = { apiVersion: 'v1', kind: 'Node', name: 'n0' };
  await fleet.admin.create(PODS, { metadata: { name: 'web', namespace: 'default' }, target }, 'binding');
  await fleet.settle();
  expect(await fleet.waiting()).toEqual([]);
  const { apiserver, doorbell } = fleet.taken();
  console.log('from bind to Running:', JSON.stringify({ ...fleet.counts, apiserver, doorbell }));
  expect(fleet.counts).toEqual({ rings: 1, looks: 1, lists: 1, writes: 1 });
  expect(apiserver.readUnits + doorbell.readUnits).toBeLessThanOrEqual(30);
  expect(apiserver.writes + doorbell.writes).toBeLessThanOrEqual(10); // two commits, each with the entry that the doorbell stores for it
  // The node's pods refer to the same objects as before, so its interests are not written.
  expect(fleet.connections.counts).toMatchObject({ reads: 1, writes: 0, readUnits: 0.5 });
});

test('a pod that refers to a new Secret adds an interest with one write, and changes of the Secret notify from then on', async () => {
  await using fleet = await Fleet.start({ size: 2 });
  await createSecret(fleet, 'words');
  await fleet.settle();
  fleet.forget();
  await fleet.createPod('web', 'n1', using('words'));
  await fleet.settle();
  expect(fleet.connections.counts).toMatchObject({ writes: 1 });
  fleet.forget();
  await changeSecret(fleet, 'words', 'Yg==');
  await fleet.settle();
  expect([fleet.counts.rings, fleet.counts.looks]).toEqual([1, 1]);
  expect(fleet.connections.counts).toMatchObject({ reads: 1, writes: 0 });
});

test('a changed Secret that none of 100 nodes uses costs one eventual read, no write and no message', async () => {
  await using fleet = await Fleet.start({ size: 100 });
  await createSecret(fleet, 'used');
  await createSecret(fleet, 'unused');
  for (let i = 0; i < 100; i++) await fleet.createPod(`p${i}`, `n${i}`, using('used'));
  await fleet.settle();
  fleet.forget();
  await changeSecret(fleet, 'unused', 'Yg==');
  await fleet.settle();
  const { reads, writes, readUnits, bytesRead } = fleet.connections.counts;
  console.log(`a Secret that 100 nodes do not use: ${reads} read of ${bytesRead} bytes, ${readUnits} units`);
  expect([reads, writes]).toEqual([1, 0]);
  expect(readUnits).toBeLessThan(2);
  expect(fleet.counts).toEqual({ rings: 0, looks: 0, lists: 0, writes: 0 });
});

test('changes that no node follows cause no queries for connections', async () => {
  await using fleet = await Fleet.start({ size: 2 });
  await fleet.createPod('web');
  await fleet.admin.patch(refOf(PODS, 'default', 'web'), { metadata: { labels: { a: 'b' } } });
  await fleet.settle();
  expect(fleet.connections.counts).toMatchObject({ reads: 0, writes: 0 });
});

test('1,000 pods start on 500 nodes with one message each and no more polls', { timeout: 240_000 }, async () => {
  await using fleet = await Fleet.start({ size: 500 });
  for (let i = 0; i < 1_000; i++) {
    await fleet.createPod(`p${i}`, `n${i % 500}`);
    if (i % 50 === 49) await fleet.settle(); // the changes of a batch of the table's stream
  }
  await fleet.pass(10);
  expect(await fleet.waiting()).toEqual([]);
  const { reads, writes, readUnits } = fleet.connections.counts;
  console.log(
    '1,000 pods on 500 nodes:',
    JSON.stringify(fleet.counts),
    `connections: ${reads} reads of ${readUnits} units, ${writes} writes; lost rings: ${fleet.lost}`,
  );
  const { rings, looks, lists } = fleet.counts;
  expect(rings).toBe(1_000);
  expect(looks).toBeLessThanOrEqual(1_000);
  expect(lists).toBeLessThanOrEqual(1_000);
  expect(writes).toBe(500); // the first pod of each node
  expect(fleet.lost).toBe(0);
});

test('a fleet converges within minutes if notifications are lost, repeated and late', async () => {
  const random = numbers(7);
  const late: (() => void)[] = [];
  let dropped = 0;
  const weather = {
    carry(_: unknown, deliver: () => void): void {
      const luck = random();
      if (luck < 0.2) return void dropped++;
      if (luck < 0.4) deliver();
      if (luck < 0.6) return void late.push(deliver);
      deliver();
    },
  };
  await using fleet = await Fleet.start({ size: 20, weather });
  for (let i = 0; i < 100; i++) {
    await fleet.createPod(`p${i}`, `n${i % 20}`);
    await fleet.pass(1);
    if (random() < 0.3) late.shift()?.();
  }
  await fleet.pass(6 * 60);
  for (const deliver of late) deliver();
  const { looks } = fleet.counts;
  await fleet.settle();
  expect(await fleet.waiting()).toEqual([]);
  expect(fleet.counts.looks).toBe(looks); // the notifications contain versions that the nodes already have
  console.log(`lost of 100 rings: ${dropped}, late: ${late.length}; found lost: ${fleet.lost}`);
  expect(fleet.lost).toBeGreaterThan(0);
  expect(fleet.lost).toBeLessThanOrEqual(dropped + late.length);
});

test('EndpointSlices that change each second cost 100 nodes a poll and a request for changes every two seconds', async () => {
  await using fleet = await Fleet.start({ size: 100, isCounted: true, hasNetwork: true });
  for (let i = 0; i < 20; i++) await fleet.setSlice(`web-${i}`, 0);
  await fleet.pass(20);
  fleet.forget();
  const seconds = 30;
  for (let i = 1; i <= seconds; i++) {
    await fleet.setSlice(`web-${i % 20}`, i);
    await fleet.pass(1);
  }
  await fleet.pass(3);
  const { apiserver, doorbell } = fleet.taken();
  const { rings, looks } = fleet.counts;
  console.log(
    `EndpointSlices that change each second for ${seconds} s, 100 nodes:`,
    JSON.stringify({ rings, looks, ...fleet.slices, apiserver, doorbell, connections: fleet.connections.counts }),
  );
  expect(fleet.slices.changes).toBe(100 * seconds);
  expect(fleet.slices.lists).toBe(0);
  expect(rings).toBeLessThanOrEqual(100 * (seconds + 1));
  expect(looks).toBeLessThanOrEqual((100 * seconds * 2) / 3);
  expect(fleet.slices.requests).toBeLessThanOrEqual(looks);
  expect(fleet.connections.counts.reads).toBeLessThanOrEqual(seconds);
  expect(apiserver.readUnits / looks).toBeLessThan(14);
});

test('EndpointSlices notify no node whose network does not follow them', async () => {
  await using fleet = await Fleet.start({ size: 3 });
  await fleet.setSlice('web', 0);
  await fleet.settle();
  expect(fleet.counts).toMatchObject({ rings: 0, looks: 0 });
});
