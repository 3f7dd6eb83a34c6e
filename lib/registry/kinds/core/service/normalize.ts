import { clone, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, items, text, texts } from '#lib/machinery/unstructured.ts';
import { needsClusterIP, needsHealthCheck, needsNodePort, specOf } from './shape.ts';

/**
 * Upstream's normalizeClusterIPs: clients that know one address write `clusterIP`, others `clusterIP` and `clusterIPs`. What
 * the client changed says which of the two the other follows.
 */
export function normalizeClusterIPs(service: JsonObject, old?: JsonObject): void {
  const spec = ensure(service, 'spec');
  const single = text(spec, 'clusterIP');
  if (old === undefined) {
    if (single !== '' && texts(spec, 'clusterIPs').length === 0) spec['clusterIPs'] = [single];
    return;
  }
  const before = text(specOf(old), 'clusterIP');
  const list = texts(specOf(old), 'clusterIPs');
  if (list.length > 0 && texts(spec, 'clusterIPs').length === 0 && single === before) spec['clusterIPs'] = list;
  if (single === before || texts(spec, 'clusterIPs').join() !== list.join()) return;
  if (single === '') delete spec['clusterIPs'];
  else spec['clusterIPs'] = [single];
}

/** Upstream's patchAllocatedValues: what was allocated stays where the client leaves it out. */
export function keepAllocated(service: JsonObject, old: JsonObject): void {
  const [spec, before] = [ensure(service, 'spec'), specOf(old)];
  if (needsClusterIP(old) && needsClusterIP(service)) {
    if (text(spec, 'clusterIP') === '') keep(spec, before, 'clusterIP');
    if (texts(spec, 'clusterIPs').length === 0) keep(spec, before, 'clusterIPs');
  }
  if (needsNodePort(old) && needsNodePort(service)) keepNodePorts(spec, before);
  if (needsHealthCheck(old) && needsHealthCheck(service) && count(spec, 'healthCheckNodePort') === 0) {
    keep(spec, before, 'healthCheckNodePort');
  }
}

/** Ports are known by name; a number that the client gave to another port is not given twice. */
function keepNodePorts(spec: JsonObject, before: JsonObject): void {
  const had = new Map(items(before, 'ports').map((port) => [text(port, 'name'), count(port, 'nodePort')]));
  const given = new Set(items(spec, 'ports').map((port) => count(port, 'nodePort')));
  for (const port of items(spec, 'ports')) {
    const number = had.get(text(port, 'name')) ?? 0;
    if (count(port, 'nodePort') === 0 && number !== 0 && !given.has(number)) port['nodePort'] = number;
  }
}

function keep(target: JsonObject, source: JsonObject, field: string): void {
  const value = ownField(source, field);
  if (value !== undefined) target[field] = clone(value);
}
