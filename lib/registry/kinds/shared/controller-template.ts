import { isEverything, matches, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, notSupported, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { shownLabels } from './label-selector.ts';

const MISMATCH = '`selector` does not match template `labels`';

/** A controller would not recognize the pods that it makes, where its selector does not match their labels. */
export function templateMatches(
  template: JsonObject | undefined,
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  if (selector === undefined || isEverything(selector)) return [];
  const labels = shownLabels(template);
  return matches(selector, labels ?? undefined) ? [] : [invalid(path.child('metadata', 'labels'), labels, MISMATCH)];
}

/** Controllers that keep a number of pods alive restart them always; `kind` is upstream's name in the text. */
export function runsForever(template: JsonObject | undefined, path: FieldPath, kind: string): FieldError[] {
  const spec = objectAt(template, 'spec');
  const policy = text(spec, 'restartPolicy');
  const deadline = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(policy === 'Always' ? [] : [notSupported(path.child('spec', 'restartPolicy'), policy, ['Always'])]),
    ...(has(spec, 'activeDeadlineSeconds') ? [forbidden(path.child('spec', 'activeDeadlineSeconds'), deadline)] : []),
  ];
}
