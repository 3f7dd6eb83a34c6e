import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, flag, has, items, text } from '#lib/machinery/unstructured.ts';
import { containers, containersOf, distinct, plural, quoted, type Check } from '../check.ts';

/** A pod has its own network, processes and shared memory. */
export const hostNamespaces: Check = {
  id: 'hostNamespaces',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => flag(spec, field) === true);
        if (shared.length === 0) return undefined;
        return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
      },
    },
  ],
};

/** No volume is a path of the host. */
export const hostPathVolumes: Check = {
  id: 'hostPathVolumes',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const names = items(spec, 'volumes')
          .filter((volume) => has(volume, 'hostPath'))
          .map((volume) => text(volume, 'name'));
        if (names.length === 0) return undefined;
        return { reason: 'hostPath volumes', detail: `${plural('volume', names)} ${quoted(names)}` };
      },
    },
  ],
};

/** `containers "a", "b" use hostPorts 1, 2`, of what each container `values`; undefined where none has any. */
function uses(
  found: readonly JsonObject[],
  what: string,
  show: (values: readonly string[]) => string,
  valuesOf: (container: JsonObject) => readonly string[],
): string | undefined {
  const users = found.filter((container) => valuesOf(container).length > 0);
  if (users.length === 0) return undefined;
  const values = distinct(users.flatMap(valuesOf));
  const names = users.map((container) => text(container, 'name'));
  return `${containers(names)} ${names.length === 1 ? 'uses' : 'use'} ${plural(what, values)} ${show(values)}`;
}

const hostPortsOf = (container: JsonObject): string[] =>
  items(container, 'ports')
    .map((port) => String(count(port, 'hostPort')))
    .filter((port) => port !== '0');

/** No port of the host is taken. */
export const hostPorts: Check = {
  id: 'hostPorts',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const detail = uses(containersOf(spec), 'hostPort', (ports) => ports.join(', '), hostPortsOf);
        return detail === undefined ? undefined : { reason: 'hostPort', detail };
      },
    },
  ],
};

function probedHostsOf(container: JsonObject): string[] {
  const lifecycle = objectAt(container, 'lifecycle');
  const handlers = [
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((field) => objectAt(container, field)),
    ...['postStart', 'preStop'].map((field) => objectAt(lifecycle, field)),
  ];
  return handlers
    .flatMap((handler) => ['httpGet', 'tcpSocket'].map((action) => text(objectAt(handler, action), 'host')))
    .filter((host) => host !== '');
}

/** The kubelet asks the pod itself, and is not sent elsewhere. In messages they stand by name. */
export const hostProbesAndHostLifecycle: Check = {
  id: 'hostProbesAndHostLifecycle',
  versions: [
    {
      since: 34,
      check({ spec }) {
        const byName = containersOf(spec).toSorted((a, b) => (text(a, 'name') < text(b, 'name') ? -1 : 1));
        const detail = uses(byName, 'probe or lifecycle host', quoted, probedHostsOf);
        return detail === undefined ? undefined : { reason: 'probe or lifecycle host', detail };
      },
    },
  ],
};
