import type { Service } from '#lib/api/types/core.v1.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseIP, parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { type ClusterNames, clusterIPsOf, isHeadless } from './cluster-names.ts';
import type { ParsedName } from './parse-name.ts';

/** A result for a name. `target` is the name of the address, relative to the domain. */
export type Found =
  | { readonly address: string; readonly port: number | undefined; readonly target: string }
  | { readonly alias: string };

/**
 * Finds the results for a name of the cluster. Returns [] for an existing name without results, and undefined for a name that does not
 * exist. Targets are relative to the domain. Source: CoreDNS, plugin/kubernetes: findServices, findPods.
 */
export function find(names: ClusterNames, asked: ParsedName): readonly Found[] | undefined {
  const { subtree, namespace, service } = asked;
  if (subtree === undefined || namespace === undefined) return [];
  if (!names.hasNamespace(namespace)) return undefined;
  if (service === undefined) return [];
  if (subtree === 'pod') return podAt(service, `${service}.${namespace}.pod`);
  const key = `${namespace}/${service}`;
  const object = names.service(key);
  if (object === undefined) return undefined;
  const found = [...ofService(names, object, asked)];
  return found.length === 0 ? undefined : found;
}

/** Resolves a pod name. Any address in an existing namespace has a name, even if no pod has the address (CoreDNS: `pods insecure`). */
function podAt(dashed: string, target: string): readonly Found[] | undefined {
  const isIPv4 = /^[^-]+(-[^-]+){3}$/.test(dashed);
  const address = parseIP(dashed.replaceAll('-', isIPv4 ? '.' : ':'));
  if (address === undefined) return undefined;
  return [{ address: addrText(address), port: undefined, target }];
}

function* ofService(names: ClusterNames, service: Service, asked: ParsedName): Generator<Found> {
  const { namespace = '', service: name = '', endpoint, port, protocol } = asked;
  const path = `${name}.${namespace}.svc`;
  const isAsked = (one: { readonly name?: string; readonly protocol?: string }): boolean =>
    (port === undefined || port === '' || port === (one.name ?? '').toLowerCase()) &&
    (protocol === undefined || protocol === '' || protocol === (one.protocol ?? 'TCP').toLowerCase());
  if (service.spec.type === 'ExternalName') {
    const { externalName = '' } = service.spec;
    const isPlain = endpoint === undefined && port === undefined && protocol === undefined;
    if (isPlain && externalName !== '' && parseIPSloppy(externalName) === undefined) yield { alias: externalName };
  } else if (isHeadless(service) || endpoint !== undefined) {
    for (const { host, address, ports } of names.endpoints(`${namespace}/${name}`)) {
      if (endpoint !== undefined && host.toLowerCase() !== endpoint) continue;
      for (const one of ports.filter(isAsked)) yield { address, port: one.number, target: `${host}.${path}` };
    }
  } else {
    for (const one of (service.spec.ports ?? []).filter(isAsked))
      for (const address of clusterIPsOf(service)) yield { address, port: one.port, target: path };
  }
}
