import { isEverything, matches, NOTHING, selectorText, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import type { AffinityTerm, PodInfo } from '../../pod-info.ts';

/** What terms look at. */
export type Subject = Pick<PodInfo, 'namespace' | 'labels'>;
type Labels = PodInfo['labels'];

/** Whether a pod is one of those a term is about. Labels of its namespace matter where the term selects by them. */
export const matchesTerm = (term: AffinityTerm, { namespace, labels }: Subject, namespaceLabels?: Labels): boolean =>
  (term.namespaces.has(namespace) || matches(term.namespaceSelector, namespaceLabels)) &&
  matches(term.selector, labels);

/** Whether it is one of those that all of the terms are about; never where there are none. */
export const matchesAll = (terms: readonly AffinityTerm[], pod: Subject): boolean =>
  terms.length > 0 && terms.every((term) => matchesTerm(term, pod));

/** The term with its selected namespaces by name, unless it selects all. */
export function withNamespaces<T extends AffinityTerm>(term: T, lister: Handle['lister']): T {
  const { namespaceSelector } = term;
  if (isEverything(namespaceSelector) || namespaceSelector.nothing === true) return term;
  const selected = [...lister('namespaces').list()].filter((one) => matches(namespaceSelector, labelsOf(one)));
  return { ...term, namespaces: new Set([...term.namespaces, ...selected.map(nameOf)]), namespaceSelector: NOTHING };
}

/** Labels of a namespace; none where it is not known. */
export function namespaceLabels(name: string, lister: Handle['lister']): Labels {
  const namespace = lister('namespaces').get('', name);
  return namespace === undefined ? {} : labelsOf(namespace);
}

const texts = new WeakMap<AffinityTerm, string>();

/** The same for terms that mean the same. */
export function termText(term: AffinityTerm): string {
  const known = texts.get(term);
  if (known !== undefined) return known;
  const { topologyKey, selector, namespaces, namespaceSelector } = term;
  const text = [topologyKey, shown(selector), [...namespaces].sort().join(), shown(namespaceSelector)].join(';');
  texts.set(term, text);
  return text;
}

const shown = (selector: LabelSelector): string => (selector.nothing === true ? '!' : selectorText(selector));
