import { type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text, texts } from '#lib/machinery/unstructured.ts';
import { selectorFromSet, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { ipFamily } from '#lib/registry/kinds/shared/ip.ts';

export type AddressType = 'IPv4' | 'IPv6';

export const HEADLESS = 'service.kubernetes.io/headless';

const spec = (service: JsonObject): JsonObject | undefined => at(service, 'spec');

/** How a service selects its pods; undefined where its endpoints are not the controllers' to make. */
export function selectorOf(service: JsonObject): LabelSelector | undefined {
  const selector = at(spec(service), 'selector');
  if (selector === undefined || Object.keys(selector).length === 0) return undefined;
  return text(spec(service), 'type') === 'ExternalName' ? undefined : selectorFromSet(selector);
}

/** Whether the service has an address of its own. */
export const hasAddress = (service: JsonObject): boolean => !['', 'None'].includes(text(spec(service), 'clusterIP'));

/** The families that a service serves; without any it is from before there were families. */
export function addressTypesOf(service: JsonObject): readonly AddressType[] {
  const families = texts(spec(service), 'ipFamilies').filter((one) => one === 'IPv4' || one === 'IPv6');
  if (families.length > 0) return families;
  if (!hasAddress(service)) return ['IPv4', 'IPv6'];
  return [ipFamily(text(spec(service), 'clusterIP')) === 6 ? 'IPv6' : 'IPv4'];
}

/** The number that a service's port has on a pod: upstream's FindPort. Undefined where the pod has no port of that name. */
export function targetPortOn(pod: JsonObject, port: JsonObject): number | undefined {
  const target = port['targetPort'];
  if (typeof target !== 'string') return Number(target ?? 0);
  const protocol = text(port, 'protocol');
  const restarted = items(spec(pod), 'initContainers').filter((one) => text(one, 'restartPolicy') === 'Always');
  const ports = [...items(spec(pod), 'containers'), ...restarted].flatMap((container) => items(container, 'ports'));
  const found = ports.find((one) => text(one, 'name') === target && text(one, 'protocol') === protocol);
  return found === undefined ? undefined : Number(found['containerPort']);
}
