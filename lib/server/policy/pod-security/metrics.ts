import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import { LATEST, type LevelVersion, type MODES, minorOf } from './policy.ts';

/** The evaluated request. */
interface Judged {
  readonly operation: string;
  readonly resource: { readonly resource: string };
  readonly subresource: string;
}

/** This server's minor version. A test compares it with /version. */
export const MINOR = 36;
const REQUEST = ['request_operation', 'resource', 'subresource'];

/** Counts the decisions of Pod Security, under upstream's names. */
export class PodSecurityMetrics implements Collector {
  readonly #evaluations = new Value({
    type: 'counter',
    name: 'pod_security_evaluations_total',
    help: 'Verdicts, of none that is exempt.',
    labels: ['decision', 'policy_level', 'policy_version', 'mode', ...REQUEST],
  });
  readonly #exemptions = new Value({
    type: 'counter',
    name: 'pod_security_exemptions_total',
    help: 'Requests that are exempt.',
    labels: REQUEST,
  });
  readonly #errors = new Value({
    type: 'counter',
    name: 'pod_security_errors_total',
    help: 'Requests whose policy could not be told; one that is not fatal was judged by the strictest.',
    labels: ['fatal', ...REQUEST],
  });

  judged(decision: 'allow' | 'deny', policy: LevelVersion, mode: (typeof MODES)[number], request: Judged): void {
    this.#evaluations.add(1, [decision, policy.level, shown(policy), mode, ...labelsOf(request)]);
  }

  exempted(request: Judged): void {
    this.#exemptions.add(1, labelsOf(request));
  }

  failed(fatal: boolean, request: Judged): void {
    this.#errors.add(1, [String(fatal), ...labelsOf(request)]);
  }

  collect(): readonly Family[] {
    return [this.#evaluations, this.#exemptions, this.#errors].flatMap((value) => value.collect());
  }
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['pods', 'pod'],
  ['namespaces', 'namespace'],
]);

const labelsOf = ({ operation, resource, subresource }: Judged): string[] => [
  operation.toLowerCase(),
  KINDS.get(resource.resource) ?? 'controller',
  subresource,
];

/** Returns the version label. The labels of a namespace may name any version, so future versions share a series. */
function shown({ level, version }: LevelVersion): string {
  if (version === LATEST || level === 'privileged') return LATEST;
  return minorOf(version) > MINOR ? 'future' : version;
}
