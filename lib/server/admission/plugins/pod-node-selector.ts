import type { Pod } from '#lib/api/types/core.v1.ts';
import { NAMESPACES, PODS } from '#lib/api/types/resources.ts';
import { notFound, unclassified } from '#lib/machinery/errors.ts';
import { setField } from '#lib/machinery/json-value.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout, refusal } from '../refusal.ts';

const ANNOTATION = 'scheduler.alpha.kubernetes.io/node-selector';

/** Node selectors by namespace, in the form `a=b,c=d`. `clusterDefaultNodeSelector` applies to namespaces without one. */
export type NodeSelectors = ReadonlyMap<string, string>;
/** The key of the selector for namespaces without their own. */
export const DEFAULT_SELECTOR = 'clusterDefaultNodeSelector';

/** Adds the selector in a namespace's annotation to its pods' node selectors. The configuration limits the allowed selectors. */
export function podNodeSelector(lookup: Lookup, selectors: NodeSelectors): AdmissionPlugin {
  const check = async (attributes: Attributes, { spec }: Pod): Promise<Record<string, string>> => {
    const { namespace } = attributes;
    const wanted = await selectorOf(lookup, selectors, namespace);
    const given = new Map(sortedEntries(spec.nodeSelector));
    if ([...wanted].some(([key, value]) => given.has(key) && given.get(key) !== value))
      throw refusal(attributes, 'pod node label selector conflicts with its namespace node label selector');
    const allowed = parse(selectors.get(namespace) ?? '');
    const merged = new Map([...wanted, ...given]);
    if (allowed.size > 0 && [...merged].some(([key, value]) => allowed.get(key) !== value))
      throw refusal(attributes, 'pod node label selector labels conflict with its namespace whitelist');
    const selector: Record<string, string> = {};
    for (const [key, value] of merged) setField(selector, key, value);
    return selector;
  };
  return {
    name: 'PodNodeSelector',
    operations: ['CREATE'],
    async admit(attributes) {
      if (!isAbout(attributes, PODS) || attributes.object === undefined) return;
      const selector = await check(attributes, attributes.object);
      if (Object.keys(selector).length > 0) attributes.object.spec.nodeSelector = selector;
    },
    async validate(attributes) {
      if (isAbout(attributes, PODS) && attributes.object !== undefined) await check(attributes, attributes.object);
    },
  };
}

async function selectorOf(
  lookup: Lookup,
  selectors: NodeSelectors,
  namespace: string,
): Promise<ReadonlyMap<string, string>> {
  const found = await lookup.find(NAMESPACES, namespace);
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  return parse(annotationsOf(found)[ANNOTATION] ?? selectors.get(DEFAULT_SELECTOR) ?? '');
}

function parse(text: string): ReadonlyMap<string, string> {
  if (text === '') return new Map();
  return new Map(
    text.split(',').map((label): [string, string] => {
      const parts = label.split('=');
      if (parts.length !== 2) throw unclassified(`invalid selector: [${parts.join(' ')}]`);
      return [(parts[0] ?? '').trim(), (parts[1] ?? '').trim()];
    }),
  );
}
