import { isEverything, type LabelSelector, matches, NOTHING, selectorText } from '#lib/machinery/labels/selector.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';

/** The part of a pod that terms match on. */
export type Subject = Pick<PodInfo, 'namespace' | 'labels'>;
type Labels = PodInfo['labels'];

/** Whether a term selects a pod. Uses the labels of the pod's namespace if the term has a namespace selector. */
export const matchesTerm = (term: AffinityTerm, { namespace, labels }: Subject, ofNamespace?: Labels): boolean =>
  (term.namespaces.has(namespace) || matches(term.namespaceSelector, ofNamespace)) && matches(term.selector, labels);

/** Whether all terms select a pod; false if there are none. */
export const matchesAll = (terms: readonly AffinityTerm[], pod: Subject): boolean =>
  terms.length > 0 && terms.every((term) => matchesTerm(term, pod));

/** Resolves a term's namespace selector to names, unless it selects all namespaces. */
export function withNamespaces<T extends AffinityTerm>(term: T, lister: Handle['lister']): T {
  const { namespaceSelector } = term;
  if (isEverything(namespaceSelector) || namespaceSelector.nothing === true) return term;
  const selected = [...lister('namespaces').list()].filter((one) => matches(namespaceSelector, labelsOf(one)));
  return { ...term, namespaces: new Set([...term.namespaces, ...selected.map(nameOf)]), namespaceSelector: NOTHING };
}

/** The labels of a namespace; empty if it is unknown. */
export function namespaceLabels(name: string, lister: Handle['lister']): Labels {
  const namespace = lister('namespaces').get('', name);
  return namespace === undefined ? {} : labelsOf(namespace);
}

const texts = new WeakMap<AffinityTerm, string>();

/** A text that is equal for terms of the same meaning. */
export function termText(term: AffinityTerm): string {
  const known = texts.get(term);
  if (known !== undefined) return known;
  const { topologyKey, selector, namespaces, namespaceSelector } = term;
  const text = [topologyKey, shown(selector), [...namespaces].sort().join(), shown(namespaceSelector)].join(';');
  texts.set(term, text);
  return text;
}

const shown = (selector: LabelSelector): string => (selector.nothing === true ? '!' : selectorText(selector));
