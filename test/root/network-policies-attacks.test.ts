import { expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { nft } from '#adapters/node/nftables/nft.ts';
import { nodeTable } from '#lib/node/networkpolicy/nftables/node-table.ts';
import { TABLE } from '#lib/node/networkpolicy/nftables/table.ts';
import { PolicyIndex } from '#lib/node/networkpolicy/policy-index.ts';
import { aNamespace, aPod, aPolicy } from '#lib/node/networkpolicy/testing/objects.ts';
import { TableSync } from '#lib/node/nftables/table-sync.ts';
import { runProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';

/** Networks that are not adjacent, so none are merged. */
const blocks = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ ipBlock: { cidr: `10.${i >> 7}.${(i & 127) * 2}.0/24` } }));
const fromBlocks = (count: number) => aPolicy('x/blocks', { ingress: [{ from: blocks(count) }] });
const pod = (name: string, address: string, labels = {}) =>
  aPod(`x/${name}`, { addresses: [address, `fd00::${name}`], labels });

/** Policies in the kernel of this namespace. */
function enforced() {
  const index = new PolicyIndex({ policies: [], namespaces: [aNamespace('x')], pods: [pod('1', '10.244.0.1')] });
  const faults: unknown[] = [];
  const sync = new TableSync({ nftables: nft, clock, table: TABLE, onCleanupFault: (error) => faults.push(error) });
  return { index, faults, sync: () => sync.sync(nodeTable(index, 'node')) };
}
const listing = async (): Promise<string> =>
  (await runProgram('nft', ['list', 'table', TABLE.family, TABLE.name])).stdout;
const setsAndChains = async (): Promise<number> =>
  (await listing()).split('\n').filter((line) => /^\t(set|chain|map) /.test(line)).length;

test('a policy of 10,000 networks is one set of the kernel, and another policy costs none of it', async () => {
  const { index, faults, sync } = enforced();
  index.putPolicy(fromBlocks(10_000));
  await sync();
  expect((await listing()).match(/10\.\d+\.\d+\.0\/24/g)).toHaveLength(10_000);
  index.putPolicy(aPolicy('x/other', { egress: [], policyTypes: ['Egress'] }));
  const before = process.cpuUsage();
  await sync();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000, 'milliseconds of this process').toBeLessThan(500);
  index.putPolicy(fromBlocks(9999));
  await sync();
  await eventually(async () => expect((await listing()).match(/10\.\d+\.\d+\.0\/24/g)?.length).toBe(9999));
  expect(faults).toEqual([]);
});

test('flapping pods leave no sets, chains or elements behind', async () => {
  const { index, faults, sync } = enforced();
  const peers = [{ podSelector: { matchLabels: { role: 'friend' } } }];
  index.putPolicy(aPolicy('x/friends', { ingress: [{ from: peers, ports: [{ port: 'http' }] }] }));
  await sync();
  const atFirst = await setsAndChains();
  for (let round = 0; round < 60; round++) {
    const address = `10.244.1.${round + 1}`;
    index.putPod(pod('2', address, round % 2 === 0 ? { role: 'friend' } : {}));
    index.putPod(aPod('x/3', { addresses: [address], ports: { http: ['TCP', 1000 + round] } }));
    await sync();
    if (round % 3 === 0) index.deletePod('x', '2');
    if (round % 5 === 0) index.deletePod('x', '3');
    await sync();
  }
  index.deletePod('x', '2');
  index.deletePod('x', '3');
  await sync();
  await eventually(async () => expect(await setsAndChains()).toBe(atFirst));
  expect(await listing()).not.toContain('10.244.1.');
  expect(faults).toEqual([]);
});
