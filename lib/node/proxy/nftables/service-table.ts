import type { Chain, NftSet, Table } from '#lib/node/nftables/table.ts';
import { type BaseSettings, baseTable, type ServiceMap, type ServiceSet } from './base-rules.ts';
import type { ServiceRules } from './service-rules.ts';

/**
 * The whole table of a family: the base rules and the rules of the node's Services. If two ports share an address, the first one gets it.
 */
export function serviceTable(settings: BaseSettings, all: Iterable<ServiceRules>): Table {
  const maps = new Map<ServiceMap, Map<string, string>>();
  const sets = new Map<ServiceSet, Set<string>>();
  const chains: [string, Chain][] = [];
  const affinity: [string, NftSet][] = [];
  for (const rules of all) {
    chains.push(...rules.chains);
    affinity.push(...rules.sets);
    for (const [map, key, verdict] of rules.mapElements) {
      const elements = maps.get(map) ?? new Map<string, string>();
      if (!elements.has(key)) elements.set(key, verdict);
      maps.set(map, elements);
    }
    for (const [set, key] of rules.setElements) sets.set(set, (sets.get(set) ?? new Set()).add(key));
  }
  const base = baseTable(settings, { maps, sets });
  return {
    ...base,
    chains: new Map([...base.chains, ...chains]),
    sets: new Map([...base.sets, ...affinity]),
  };
}
