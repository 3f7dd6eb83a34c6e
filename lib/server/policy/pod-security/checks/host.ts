import { type AnyContainer, type Check, containers, containersOf, distinct, plural, quoted } from '../check.ts';

/** Pods may not share the host's network, processes or shared memory. */
export const hostNamespaces: Check = {
  id: 'hostNamespaces',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
        if (shared.length === 0) return undefined;
        return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
      },
    },
  ],
};

/** Volumes may not be host paths. */
export const hostPathVolumes: Check = {
  id: 'hostPathVolumes',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
        const names = volumes.map(({ name }) => name);
        if (names.length === 0) return undefined;
        return { reason: 'hostPath volumes', detail: `${plural('volume', names)} ${quoted(names)}` };
      },
    },
  ],
};

/** Returns `containers "a", "b" use hostPorts 1, 2` for the `values` of each container. Undefined if there are none. */
function uses(
  found: readonly AnyContainer[],
  what: string,
  show: (values: readonly string[]) => string,
  valuesOf: (container: AnyContainer) => readonly string[],
): string | undefined {
  const users = found.filter((container) => valuesOf(container).length > 0);
  if (users.length === 0) return undefined;
  const values = distinct(users.flatMap(valuesOf));
  const names = users.map(({ name }) => name);
  return `${containers(names)} ${names.length === 1 ? 'uses' : 'use'} ${plural(what, values)} ${show(values)}`;
}

const hostPortsOf = ({ ports = [] }: AnyContainer): string[] =>
  ports.map(({ hostPort = 0 }) => String(hostPort)).filter((port) => port !== '0');

/** Containers may not use host ports. */
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

function probedHostsOf(container: AnyContainer): string[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
    .flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''])
    .filter((host) => host !== '');
}

/** Probes and lifecycle hooks may address only the pod itself. Messages list them by name. */
export const hostProbesAndHostLifecycle: Check = {
  id: 'hostProbesAndHostLifecycle',
  versions: [
    {
      since: 34,
      check({ spec }) {
        const byName = containersOf(spec).toSorted((a, b) => (a.name < b.name ? -1 : 1));
        const detail = uses(byName, 'probe or lifecycle host', quoted, probedHostsOf);
        return detail === undefined ? undefined : { reason: 'probe or lifecycle host', detail };
      },
    },
  ],
};
