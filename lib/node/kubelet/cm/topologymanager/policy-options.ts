import { quote } from '#lib/machinery/go.ts';
import { boolOption } from '../policy-option.ts';

/** Maximum number of NUMA nodes by default, because the number of hints grows exponentially with the nodes. Options may raise it. */
const DEFAULT_MAX_NODES = 8;

/** The options of a topology policy. */
export interface TopologyPolicyOptions {
  readonly preferClosestNUMA: boolean;
  readonly maxAllowableNUMANodes: number;
}

/** Parses `topologyManagerPolicyOptions`. Throws Error with upstream's text for unknown options and invalid values. */
export function topologyPolicyOptions(given: Readonly<Record<string, string>>): TopologyPolicyOptions {
  let options: TopologyPolicyOptions = { preferClosestNUMA: false, maxAllowableNUMANodes: DEFAULT_MAX_NODES };
  for (const [name, value] of Object.entries(given)) {
    if (name === 'prefer-closest-numa-nodes') options = { ...options, preferClosestNUMA: boolOption(name, value) };
    else if (name === 'max-allowable-numa-nodes')
      options = { ...options, maxAllowableNUMANodes: maxNodes(name, value) };
    else throw new Error(`unknown Topology Manager Policy option: ${quote(name)}`);
  }
  return options;
}

function maxNodes(name: string, value: string): number {
  if (!/^[+-]?\d{1,15}$/.test(value)) {
    const reason = `strconv.Atoi: parsing ${quote(value)}: invalid syntax`;
    throw new Error(`unable to convert policy option to integer ${quote(name)}: ${reason}`);
  }
  const nodes = Number(value);
  if (nodes < DEFAULT_MAX_NODES)
    throw new Error(`the minimum value of ${quote(name)} should not be less than ${DEFAULT_MAX_NODES}`);
  return nodes;
}
