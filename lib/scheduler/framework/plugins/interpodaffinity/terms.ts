import { isEverything, type LabelSelector, matches, NOTHING, selectorText } from '#lib/machinery/labels/selector.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';

/** The part of a pod that terms look at. */
export type Subject = Pick<PodInfo, 'namespace' | 'labels'>;
type Labels = PodInfo['labels'];

/** Whether a term selects a pod. Labels of the pod's namespace count if the term selects namespaces by them. */
export const matchesTerm = (term: AffinityTerm, { namespace, labels }: Subject, ofNamespace?: Labels): boolean =>
  (term.namespaces.has(namespace) || matches(term.namespaceSelector, ofNamespace)) && matches(term.selector, labels);

/** Whether all terms select a pod; false without terms. */
export const matchesAll = (terms: readonly AffinityTerm[], pod: Subject): boolean =>
  terms.length > 0 && terms.every((term) => matchesTerm(term, pod));

/** The term with the namespaces it selects by name, unless it selects all. */
export function withNamespaces<T extends AffinityTerm>(term: T, lister: Handle['lister']): T {
  const { namespaceSelector } = term;
  if (isEverything(namespaceSelector) || namespaceSelector.nothing === true) return term;
  const selected = [...lister('namespaces').list()].filter((one) => matches(namespaceSelector, labelsOf(one)));
  return { ...term, namespaces: new Set([...term.namespaces, ...selected.map(nameOf)]), namespaceSelector: NOTHING };
}

/** The labels of a namespace; none if it is not known. */
export function namespaceLabels(name: string, lister: Handle['lister']): Labels {
  const namespace = lister('namespaces').get('', name);
  return namespace === undefined ? {} : labelsOf(namespace);
}

const texts = new WeakMap<AffinityTerm, string>();

/** A text that is the same for terms of the same meaning. */
export function termText(term: AffinityTerm): string {
  const known = texts.get(term);
  if (known !== undefined) return known;
  const { topologyKey, selector, namespaces, namespaceSelector } = term;
  const text = [topologyKey, shown(selector), [...namespaces].sort().join(), shown(namespaceSelector)].join(';');
  texts.set(term, text);
  return text;
}

const shown = (selector: LabelSelector): string => (selector.nothing === true ? '!' : selectorText(selector));
