import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { at, flag, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, textOr, UNKNOWN } from '../cells.ts';
import { column, named, wide } from '../columns.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';

/** Upstream's printNode. */
export const node: TablePrinter = {
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
    const info = at(object, 'status', 'nodeInfo');
    return [
      nameOf(object),
      statusText(object),
      roles(object).join(',') || NONE,
      age(object, now),
      text(info, 'kubeletVersion'),
      addressOf(object, 'InternalIP'),
      addressOf(object, 'ExternalIP'),
      textOr(info, 'osImage', UNKNOWN),
      kernel(info),
      textOr(info, 'containerRuntimeVersion', UNKNOWN),
    ];
  },
};

function statusText(object: JsonObject): string {
  const conditions = items(objectAt(object, 'status'), 'conditions');
  const ready = conditions.findLast((condition) => text(condition, 'type') === 'Ready');
  const readiness = text(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  const status = ready === undefined ? 'Unknown' : readiness;
  return flag(objectAt(object, 'spec'), 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

/** By the labels `node-role.kubernetes.io/<role>` and `kubernetes.io/role`. */
function roles(object: JsonObject): string[] {
  const labels = labelsOf(object);
  const prefixed = Object.keys(labels).filter((key) => key.startsWith(ROLE_PREFIX));
  const found = [...prefixed.map((key) => key.slice(ROLE_PREFIX.length)), labels['kubernetes.io/role'] ?? ''];
  return [...new Set(found.filter((role) => role !== ''))].sort();
}

function addressOf(object: JsonObject, type: string): string {
  const address = items(objectAt(object, 'status'), 'addresses').find((item) => text(item, 'type') === type);
  return address === undefined ? NONE : text(address, 'address');
}

function kernel(info: JsonObject | undefined): string {
  const architecture = text(info, 'architecture');
  return `${textOr(info, 'kernelVersion', UNKNOWN)}${architecture === '' ? '' : ` (${architecture})`}`;
}
