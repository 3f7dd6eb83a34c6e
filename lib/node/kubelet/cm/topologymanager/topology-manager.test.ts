import { expect, test } from 'vitest';
import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { AdmissionError } from '../admission/errors.ts';
import { bitMask } from './bitmask.ts';
import type { HintProvider, TopologyHints } from './hint-provider.ts';
import { TopologyManager } from './topology-manager.ts';

const nodes = [0, 1].map((id) => ({ id, memory: 0, hugePages: [], cores: [], distances: undefined }));
const container = (name: string): Container => ({ name, resources: {} });
const pod: Pod = {
  metadata: { name: 'p', uid: 'u' },
  spec: { initContainers: [container('init')], containers: [container('a'), container('b')] },
  status: {},
};

class Provider implements HintProvider {
  readonly calls: string[] = [];
  readonly #hints: TopologyHints;
  readonly #refusal: Error | undefined;

  constructor(hints: TopologyHints, refusal?: Error) {
    this.#hints = hints;
    this.#refusal = refusal;
  }

  getTopologyHints(_pod: Pod, { name }: Container): TopologyHints {
    this.calls.push(`hints ${name}`);
    return this.#hints;
  }

  getPodTopologyHints(): TopologyHints {
    this.calls.push('pod hints');
    return this.#hints;
  }

  async allocate(_pod: Pod, { name }: Container): Promise<void> {
    this.calls.push(`allocate ${name}`);
    if (this.#refusal !== undefined) throw this.#refusal;
  }
}

const manager = (policy: string, scope: string, provider: HintProvider): TopologyManager => {
  const topology = new TopologyManager({ policy, scope, policyOptions: {}, nodes });
  topology.addHintProvider(provider);
  return topology;
};
const onNode1: TopologyHints = new Map([['cpu', [{ affinity: bitMask(1), preferred: true }]]]);
const nowhere: TopologyHints = new Map([['cpu', []]]);

test('allocates without hints with policy none', async () => {
  const provider = new Provider(nowhere);
  expect(await manager('none', 'any', provider).admit(pod)).toEqual({ admit: true });
  expect(provider.calls).toEqual(['allocate init', 'allocate a', 'allocate b']);
});

test('merges and allocates one container at a time with scope container', async () => {
  const provider = new Provider(onNode1);
  const topology = manager('restricted', 'container', provider);
  expect(await topology.admit(pod)).toEqual({ admit: true });
  expect(provider.calls).toEqual(['hints init', 'allocate init', 'hints a', 'allocate a', 'hints b', 'allocate b']);
  expect(topology.getAffinity('u', 'a')).toEqual({ affinity: 2n, preferred: true });
});

test('merges once for all containers with scope pod', async () => {
  const provider = new Provider(onNode1);
  const topology = manager('single-numa-node', 'pod', provider);
  expect(await topology.admit(pod)).toEqual({ admit: true });
  expect(provider.calls).toEqual(['pod hints', 'allocate init', 'allocate a', 'allocate b']);
  expect(topology.getAffinity('u', 'b')).toEqual({ affinity: 2n, preferred: true });
});

test.each(['container', 'pod'])('rejects a pod without locality with scope %s', async (scope) => {
  expect(await manager('restricted', scope, new Provider(nowhere)).admit(pod)).toEqual({
    admit: false,
    reason: 'TopologyAffinityError',
    message: 'Resources cannot be allocated with Topology locality',
  });
});

test('keeps the reason of an AdmissionError and converts other errors to UnexpectedAdmissionError', async () => {
  const own = new AdmissionError('SMTAlignmentError', 'SMT Alignment Error: text');
  const refused = { admit: false, reason: 'SMTAlignmentError', message: 'SMT Alignment Error: text' };
  expect(await manager('none', '', new Provider(onNode1, own)).admit(pod)).toEqual(refused);
  expect(await manager('none', '', new Provider(onNode1, new Error('no CPUs'))).admit(pod)).toEqual({
    admit: false,
    reason: 'UnexpectedAdmissionError',
    message: 'Allocate failed due to no CPUs, which is unexpected',
  });
});

test('forgets the affinity of a container with its last attempt', async () => {
  const topology = manager('restricted', 'container', new Provider(onNode1));
  await topology.admit(pod);
  topology.addContainer(pod, container('a'), 'first');
  topology.addContainer(pod, container('a'), 'second');
  topology.removeContainer('first');
  expect(topology.getAffinity('u', 'a').affinity).toBe(2n);
  topology.removeContainer('second');
  topology.removeContainer('unknown');
  expect(topology.getAffinity('u', 'a')).toEqual({ affinity: undefined, preferred: false });
});

test('rejects an unknown scope', () => {
  expect(() => manager('restricted', 'node', new Provider(onNode1))).toThrow('unknown scope: "node"');
});
