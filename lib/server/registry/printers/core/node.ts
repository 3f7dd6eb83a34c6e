import type { Node, NodeAddress, NodeSystemInfo } from '#lib/api/types/core.v1.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, UNKNOWN } from '../cells.ts';
import { column, named, wide } from '../columns.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';

/** Upstream's printNode. */
export const node: TablePrinter<Node> = {
  columns: [
    ...named(
      column('Status', 'Whether the node is ready, and whether pods may be scheduled on it.'),
      column('Roles', 'The roles that labels give the node.'),
    ),
    column('Version', 'The version of the kubelet.'),
    wide('Internal-IP', 'The first address inside the cluster.'),
    wide('External-IP', 'The first address outside the cluster.'),
    wide('OS-Image', 'The operating system.'),
    wide('Kernel-Version', 'The kernel and its architecture.'),
    wide('Container-Runtime', 'What runs the containers, and its version.'),
  ],
  cells(object, now) {
    const { nodeInfo, addresses } = object.status;
    return [
      nameOf(object),
      statusText(object),
      roles(object).join(',') || NONE,
      age(object, now),
      nodeInfo.kubeletVersion,
      addressOf(addresses, 'InternalIP'),
      addressOf(addresses, 'ExternalIP'),
      nodeInfo.osImage || UNKNOWN,
      kernel(nodeInfo),
      nodeInfo.containerRuntimeVersion || UNKNOWN,
    ];
  },
};

function statusText({ spec, status: { conditions = [] } }: Node): string {
  const ready = conditions.findLast(({ type }) => type === 'Ready');
  const readiness = ready?.status === 'True' ? 'Ready' : 'NotReady';
  const status = ready === undefined ? 'Unknown' : readiness;
  return spec.unschedulable === true ? `${status},SchedulingDisabled` : status;
}

/** Read from the labels `node-role.kubernetes.io/<role>` and `kubernetes.io/role`. */
function roles(object: Node): string[] {
  const labels = labelsOf(object);
  const prefixed = Object.keys(labels).filter((key) => key.startsWith(ROLE_PREFIX));
  const found = [...prefixed.map((key) => key.slice(ROLE_PREFIX.length)), labels['kubernetes.io/role'] ?? ''];
  return [...new Set(found.filter((role) => role !== ''))].sort();
}

const addressOf = (addresses: readonly NodeAddress[] = [], type: string): string =>
  addresses.find((address) => address.type === type)?.address ?? NONE;

const kernel = ({ kernelVersion, architecture }: NodeSystemInfo): string =>
  `${kernelVersion || UNKNOWN}${architecture === '' ? '' : ` (${architecture})`}`;
