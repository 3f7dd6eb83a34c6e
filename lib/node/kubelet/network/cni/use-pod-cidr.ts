import { marshal } from '#lib/machinery/go.ts';
import { isObject, type Json, type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { decodeMap } from '#lib/node/cni/decode.ts';
import type { NetworkConfigList } from '#lib/node/cni/types.ts';

/** The placeholder for the node's range in a host-local configuration. */
const USE = 'usePodCidr';

/** Whether a network allocates addresses from the node's ranges. */
export const usesPodCIDR = ({ plugins }: NetworkConfigList): boolean =>
  plugins.some(({ config }) => isPlaced(ipamOf(config)));

const ipamOf = (config: JsonObject): JsonObject | undefined => objectAt(config, 'ipam');
const isUse = (range: Json): boolean => isObject(range) && ownField(range, 'subnet') === USE;

const isPlaced = (ipam: JsonObject | undefined): boolean =>
  ipam !== undefined && ownField(ipam, 'type') === 'host-local' && (isUse(ipam) || rangeSets(ipam).some(isPlace));

const rangeSets = (ipam: JsonObject): readonly Json[] => {
  const ranges = ownField(ipam, 'ranges');
  return Array.isArray(ranges) ? ranges : [];
};

const isPlace = (set: Json): boolean => Array.isArray(set) && set.some(isUse);

/**
 * The configuration with the node's ranges instead of the placeholders. `subnet` gets the first range, and a set of `ranges` becomes one
 * set per range.
 */
export function withPodCIDRs(list: NetworkConfigList, podCIDRs: readonly string[]): Uint8Array {
  const plugins = list.plugins.map(({ config }) => rendered(config, podCIDRs));
  return Buffer.from(`${marshal({ ...decodeMap(list.bytes), plugins })}\n`);
}

function rendered(config: JsonObject, podCIDRs: readonly string[]): JsonObject {
  const ipam = ipamOf(config);
  if (ipam === undefined || !isPlaced(ipam)) return config;
  const sets = rangeSets(ipam);
  const filled = {
    ...ipam,
    ...(isUse(ipam) && { subnet: podCIDRs[0] ?? '' }),
    ...(sets.length > 0 && { ranges: sets.flatMap((set) => placed(set, podCIDRs)) }),
  };
  return { ...config, ipam: filled };
}

function placed(set: Json, podCIDRs: readonly string[]): Json[] {
  if (!Array.isArray(set) || !isPlace(set)) return [set];
  return podCIDRs.map((subnet) => set.map((range) => (isObject(range) && isUse(range) ? { ...range, subnet } : range)));
}
