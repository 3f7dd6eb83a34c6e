import { expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Nftables, Remembered } from '#lib/node/nftables/nftables.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { PolicyEnforcer } from './policy-enforcer.ts';
import { aNamespace, aPod, aPolicy, type PodFacts } from './testing/objects.ts';

/** Records transactions instead of sending them to a kernel. */
class RecordedNftables implements Nftables {
  readonly applied: string[] = [];
  fault: Error | undefined;

  async apply(commands: string): Promise<void> {
    if (this.fault !== undefined) throw this.fault;
    this.applied.push(commands);
  }

  async list(): Promise<string | undefined> {
    return undefined;
  }

  async remembered(): Promise<Remembered> {
    return new Map();
  }
}

const withUid = (uid: string, facts: Partial<PodFacts> = {}): Pod => {
  const pod = aPod('shop/web', { addresses: [], ...facts });
  return { ...pod, metadata: { ...pod.metadata, uid } };
};

async function setup({ isListed = true } = {}) {
  const nftables = new RecordedNftables();
  const clock = new ManualClock();
  const faults: unknown[] = [];
  const onFault = (what: string, error: unknown): void => void faults.push([what, error]);
  const enforcer = new PolicyEnforcer({ node: 'node', nftables, clock, onFault });
  const ending = new AbortController();
  const running = enforcer.run(ending.signal);
  enforcer.putNamespace(aNamespace('shop'));
  enforcer.putPolicy(aPolicy('shop/deny', { policyTypes: ['Ingress'] }));
  const list = (): void => (['pods', 'namespaces', 'policies'] as const).forEach((type) => enforcer.listed(type));
  if (isListed) list();
  await settled();
  const passed = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= 100) {
      clock.advance(100);
      await settled();
    }
  };
  /** Tracks the state of an admission: granted, refused or waiting. */
  const admit = (pod: Pod, ips: readonly string[] = ['10.0.0.1'], signal?: AbortSignal) => {
    const seen = { state: 'waits' };
    void enforcer.admit(pod, ips, signal).then(
      () => (seen.state = 'granted'),
      (error: unknown) => (seen.state = String(error)),
    );
    return seen;
  };
  const end = async (): Promise<void> => {
    ending.abort();
    await running;
  };
  return { nftables, enforcer, faults, list, passed, admit, end };
}

test('writes the table once pods, namespaces and policies are listed, and then at most once a second', async () => {
  const { nftables, enforcer, passed, end } = await setup({ isListed: false });
  enforcer.listed('pods');
  enforcer.listed('namespaces');
  await passed(5000);
  expect(nftables.applied).toEqual([]);
  enforcer.listed('policies');
  await settled();
  expect(nftables.applied.length).toBe(1);
  for (const last of [1, 2, 3]) {
    enforcer.putPod(withUid('a', { addresses: [`10.0.0.${last}`] }));
    await passed(100);
  }
  expect(nftables.applied.length).toBe(1);
  await passed(1000);
  expect(nftables.applied.length).toBe(2);
  expect(nftables.applied[1]).toContain('10.0.0.3');
  await end();
});

test('admits a pod when the kernel has a table with its addresses', async () => {
  const { nftables, admit, passed, end } = await setup();
  const seen = admit(withUid('a'));
  await settled();
  expect(seen.state).toBe('waits');
  await passed(1000);
  expect(seen.state).toBe('granted');
  expect(nftables.applied.at(-1)).toContain('10.0.0.1');
  await end();
});

test('does not admit a pod before policies are listed, and lets its sync be retried', async () => {
  const { admit, list, passed, end } = await setup({ isListed: false });
  const ending = new AbortController();
  const [first, ended] = [admit(withUid('a')), admit(withUid('a'), ['10.0.0.1'], ending.signal)];
  ending.abort(new Error('the pod ends'));
  await passed(30_000);
  expect(first.state).toBe('Error: the network policies are not enforced for the pod yet');
  expect(ended.state).toBe('Error: the pod ends');
  const second = admit(withUid('a'));
  list();
  await passed(1000);
  expect(second.state).toBe('granted');
  await end();
});

test('keeps pods waiting after a failure, retries and replaces the table', async () => {
  const { nftables, admit, passed, faults, end } = await setup();
  nftables.fault = new Error('busy');
  const seen = admit(withUid('a'));
  await passed(1500);
  expect([seen.state, faults.length]).toEqual(['waits', 1]);
  nftables.fault = undefined;
  await passed(2000);
  expect(seen.state).toBe('granted');
  expect(nftables.applied.at(-1)).toContain('delete table');
  await end();
});

test('prefers runtime addresses to older objects of the same name until the API reports them or the pod is deleted', async () => {
  const { nftables, enforcer, admit, passed, end } = await setup();
  enforcer.putPod(withUid('old', { addresses: ['10.0.0.9'] }));
  admit(withUid('new'));
  await passed(1000);
  const count = nftables.applied.length;
  enforcer.putPod(withUid('old', { addresses: ['10.0.0.8'] }));
  enforcer.deletePod('shop', 'web');
  enforcer.putPod(withUid('new'));
  await passed(1000);
  enforcer.putPod(withUid('new', { addresses: ['10.0.0.1'] }));
  await passed(1000);
  expect(nftables.applied.length).toBe(count);
  enforcer.deletePod('shop', 'web');
  await passed(1000);
  expect(nftables.applied.at(-1)).toMatch(/delete element .*10\.0\.0\.1/);
  await end();
});

test('treats a pod that is missing from several lists as deleted', async () => {
  const { nftables, enforcer, admit, passed, end } = await setup();
  admit(withUid('a'));
  await passed(1000);
  for (let i = 0; i < 3; i++) enforcer.listed('pods');
  await passed(1000);
  expect(nftables.applied.at(-1)).toMatch(/delete element .*10\.0\.0\.1/);
  await end();
});

test('rewrites a table that was removed externally, and removes unused chains a second later', async () => {
  const { nftables, enforcer, admit, passed, end } = await setup();
  admit(withUid('a'));
  await passed(1000);
  enforcer.removed();
  await passed(1000);
  expect(nftables.applied.at(-1)).toContain('delete table');
  enforcer.deletePolicy('shop', 'deny');
  await passed(3000);
  expect(nftables.applied.at(-1)).toContain('delete chain');
  await end();
});
