import type { JsonObject } from '#lib/machinery/json-value.ts';
import { quote } from '#lib/machinery/go.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { visitContainers } from './validation/visit.ts';

interface PortAt {
  readonly port: JsonObject;
  readonly path: FieldPath;
}

/** Earlier ports of one number that a port is compared with. */
const MAX_OTHERS = 50;

/** Ports that are defined twice or ambiguously over all containers, and names that are. */
export function portWarnings(spec: JsonObject, path: FieldPath): string[] {
  const ports = visitContainers(spec, path, (container, at) =>
    items(container, 'ports').map((port, i): PortAt => ({ port, path: at.child('ports').index(i) })),
  );
  return [...conflicts(ports), ...names(ports)];
}

function conflicts(ports: readonly PortAt[]): string[] {
  const seen = new Map<string, PortAt[]>();
  return ports.flatMap((one) => {
    const key = `${count(one.port, 'containerPort')}/${text(one.port, 'protocol')}`;
    const others = seen.get(key) ?? [];
    if (others.length < MAX_OTHERS) seen.set(key, [...others, one]);
    return [...hostAlone(one), ...others.flatMap((other) => conflict(one, other))];
  });
}

function hostAlone({ port, path }: PortAt): string[] {
  const ip = text(port, 'hostIP');
  if (ip === '' || count(port, 'hostPort') !== 0) return [];
  const fields = [
    `Name:${text(port, 'name')}`,
    'HostPort:0',
    `ContainerPort:${count(port, 'containerPort')}`,
    `Protocol:${text(port, 'protocol')}`,
    `HostIP:${ip}`,
  ];
  return [`${path}: hostIP set without hostPort: {${fields.join(' ')}}`];
}

function conflict(one: PortAt, other: PortAt): string[] {
  const host = count(one.port, 'hostPort');
  const otherHost = count(other.port, 'hostPort');
  const ip = text(one.port, 'hostIP');
  const otherIP = text(other.port, 'hostIP');
  const warn = (what: string): string[] => [`${one.path}: ${what} port definition with ${other.path}`];
  if (ip === otherIP && host === otherHost) return warn('duplicate');
  if (host === 0 || otherHost === 0) return warn('overlapping');
  return host === otherHost && (ip === '') !== (otherIP === '') ? warn('dangerously ambiguous') : [];
}

function names(ports: readonly PortAt[]): string[] {
  const seen = new Map<string, FieldPath>();
  return ports.flatMap(({ port, path }) => {
    const name = text(port, 'name');
    const other = seen.get(name);
    if (name === '') return [];
    if (other === undefined) seen.set(name, path);
    if (other === undefined) return [];
    const consequence = `services and probes that select ports by name will use ${other}`;
    return [`${path}: duplicate port name ${quote(name)} with ${other}, ${consequence}`];
  });
}
