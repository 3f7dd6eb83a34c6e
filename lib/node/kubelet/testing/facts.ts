import { NOTHING } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { DEFAULT_EVICTION_HARD } from '../eviction/thresholds.ts';
import type { NodeFacts } from '../nodestatus/set-node-status.ts';

/** KiB, MiB and GiB in bytes. */
export const [KI, MI, GI] = [1024, 1024 ** 2, 1024 ** 3] as const;

/** The facts of a healthy machine without a container runtime: 4 cores, 16 GiB of memory, 100 GiB of disk and one address. */
export const someFacts = (overrides: Partial<NodeFacts> = {}): NodeFacts => ({
  address: {
    nodeName: 'n1',
    hostname: 'n1',
    nodeIPs: [],
    lookedUp: [],
    network: {
      interfaces: [
        { name: 'lo', loopback: true, addresses: ['127.0.0.1', '::1'] },
        { name: 'eth0', loopback: false, addresses: ['192.0.2.7', 'fe80::1', '2001:db8::7'] },
      ],
      defaultRoutes: [{ interface: 'eth0', family: 4 }],
    },
  },
  machine: {
    machine: {
      numCores: 4,
      memoryCapacity: 16 * GI,
      swapCapacity: 0,
      hugePages: [],
      machineID: 'machine',
      systemUUID: 'system',
      bootID: 'boot',
    },
    storage: 100 * GI,
    maxPods: 110,
    reserved: { systemReserved: NOTHING, kubeReserved: NOTHING, evictionHard: DEFAULT_EVICTION_HARD },
  },
  versions: {
    kernelVersion: '6.1.0',
    containerOsVersion: 'Debian GNU/Linux 12 (bookworm)',
    containerRuntimeVersion: '',
    kubeletVersion: 'v1.36.2',
    operatingSystem: 'linux',
    architecture: 'amd64',
  },
  pressures: { memory: false, disk: false, pid: false },
  errors: [],
  ...overrides,
});
