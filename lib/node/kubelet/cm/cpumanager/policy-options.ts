import { quote } from '#lib/machinery/go.ts';
import { boolOption } from '../policy-option.ts';

/** The options of the static policy. */
export interface StaticPolicyOptions {
  readonly fullPhysicalCPUsOnly: boolean;
  readonly distributeCPUsAcrossNUMA: boolean;
  readonly alignBySocket: boolean;
  readonly distributeCPUsAcrossCores: boolean;
  readonly strictCPUReservation: boolean;
  readonly preferAlignByUncoreCache: boolean;
}

const FULL = 'full-pcpus-only';
const NUMA = 'distribute-cpus-across-numa';
const SOCKET = 'align-by-socket';
const CORES = 'distribute-cpus-across-cores';
const STRICT = 'strict-cpu-reservation';
const UNCORE = 'prefer-align-cpus-by-uncorecache';
const ALPHA = [SOCKET, CORES];
const BETA = [NUMA];
const STABLE = [FULL, STRICT, UNCORE];

/** Feature gates for options that are not stable. */
export interface PolicyOptionGates {
  readonly alpha: boolean;
  readonly beta: boolean;
}

/** Upstream's defaults of CPUManagerPolicyAlphaOptions and CPUManagerPolicyBetaOptions. */
export const DEFAULT_OPTION_GATES: PolicyOptionGates = { alpha: false, beta: true };

/** Pairs of options that exclude each other, in the order in which upstream reports them. */
const EXCLUSIVE: readonly (readonly [string, string])[] = [
  [FULL, CORES],
  [NUMA, CORES],
  [UNCORE, CORES],
  [UNCORE, NUMA],
];

/** Parses `cpuManagerPolicyOptions`. Throws Error with upstream's text for options that are unknown, gated, invalid or exclusive. */
export function staticPolicyOptions(
  given: Readonly<Record<string, string>>,
  gates: PolicyOptionGates = DEFAULT_OPTION_GATES,
): StaticPolicyOptions {
  const on = new Set<string>();
  for (const [name, value] of Object.entries(given)) {
    checkAvailable(name, gates);
    if (boolOption(name, value)) on.add(name);
  }
  for (const [a, b] of EXCLUSIVE) {
    if (on.has(a) && on.has(b)) throw new Error(`static policy options ${a} and ${b} can not be used at the same time`);
  }
  return {
    fullPhysicalCPUsOnly: on.has(FULL),
    distributeCPUsAcrossNUMA: on.has(NUMA),
    alignBySocket: on.has(SOCKET),
    distributeCPUsAcrossCores: on.has(CORES),
    strictCPUReservation: on.has(STRICT),
    preferAlignByUncoreCache: on.has(UNCORE),
  };
}

function checkAvailable(name: string, { alpha, beta }: PolicyOptionGates): void {
  if (STABLE.includes(name)) return;
  if (BETA.includes(name)) {
    if (!beta) throw new Error(`CPU Manager Policy Beta-level Options not enabled, but option ${quote(name)} provided`);
  } else if (ALPHA.includes(name)) {
    if (!alpha)
      throw new Error(`CPU Manager Policy Alpha-level Options not enabled, but option ${quote(name)} provided`);
  } else throw new Error(`unknown CPU Manager Policy option: ${quote(name)}`);
}
