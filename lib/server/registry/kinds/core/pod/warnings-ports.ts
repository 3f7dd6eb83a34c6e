import type { ContainerPort, PodSpec } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { visitContainers } from './validation/visit.ts';

interface PortAt {
  readonly port: ContainerPort;
  readonly path: FieldPath;
}

/** The maximum number of earlier ports with the same number with which a port is compared. */
const MAX_OTHERS = 50;

/** Warnings about duplicate or ambiguous ports across all containers, and about duplicate port names. */
export function portWarnings(spec: PodSpec, path: FieldPath): string[] {
  const ports = visitContainers(spec, path, (container, at) =>
    (container.ports ?? []).map((port, i): PortAt => ({ port, path: at.child('ports').index(i) })),
  );
  return [...conflicts(ports), ...names(ports)];
}

function conflicts(ports: readonly PortAt[]): string[] {
  const seen = new Map<string, PortAt[]>();
  return ports.flatMap((one) => {
    const key = `${one.port.containerPort}/${one.port.protocol ?? ''}`;
    const others = seen.get(key) ?? [];
    if (others.length < MAX_OTHERS) seen.set(key, [...others, one]);
    return [...hostAlone(one), ...others.flatMap((other) => conflict(one, other))];
  });
}

function hostAlone({ port, path }: PortAt): string[] {
  const { hostIP = '', hostPort = 0 } = port;
  if (hostIP === '' || hostPort !== 0) return [];
  const fields = [
    `Name:${port.name ?? ''}`,
    'HostPort:0',
    `ContainerPort:${port.containerPort}`,
    `Protocol:${port.protocol ?? ''}`,
    `HostIP:${hostIP}`,
  ];
  return [`${path}: hostIP set without hostPort: {${fields.join(' ')}}`];
}

function conflict(one: PortAt, other: PortAt): string[] {
  const { hostPort: host = 0, hostIP: ip = '' } = one.port;
  const { hostPort: otherHost = 0, hostIP: otherIP = '' } = other.port;
  const warn = (conflicting: string): string[] => [`${one.path}: ${conflicting} port definition with ${other.path}`];
  if (ip === otherIP && host === otherHost) return warn('duplicate');
  if (host === 0 || otherHost === 0) return warn('overlapping');
  return host === otherHost && (ip === '') !== (otherIP === '') ? warn('dangerously ambiguous') : [];
}

function names(ports: readonly PortAt[]): string[] {
  const seen = new Map<string, FieldPath>();
  return ports.flatMap(({ port: { name = '' }, path }) => {
    const other = seen.get(name);
    if (name === '') return [];
    if (other === undefined) seen.set(name, path);
    if (other === undefined) return [];
    const consequence = `services and probes that select ports by name will use ${other}`;
    return [`${path}: duplicate port name ${quote(name)} with ${other}, ${consequence}`];
  });
}
