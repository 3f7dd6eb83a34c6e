import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { isEverything, type LabelSelector, matches } from '#lib/machinery/labels/selector.ts';
import { type FieldError, type FieldPath, forbidden, invalid, notSupported } from '#lib/machinery/validation/field.ts';
import { shownLabels } from './label-selector.ts';

const MISMATCH = '`selector` does not match template `labels`';

/** Returns an error if the selector does not match the pod labels, because the controller would not recognize its pods. */
export function templateMatches(
  template: PodTemplateSpec | undefined,
  selector: LabelSelector | undefined,
  path: FieldPath,
): FieldError[] {
  if (selector === undefined || isEverything(selector)) return [];
  const labels = shownLabels(template);
  return matches(selector, labels ?? undefined) ? [] : [invalid(path.child('metadata', 'labels'), labels, MISMATCH)];
}

/** Rejects a restart policy other than Always, for controllers that keep pods running. `kind` is upstream's name in the message. */
export function runsForever(template: PodTemplateSpec | undefined, path: FieldPath, kind: string): FieldError[] {
  const spec = template?.spec;
  const policy = spec?.restartPolicy ?? '';
  const deadline = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(policy === 'Always' ? [] : [notSupported(path.child('spec', 'restartPolicy'), policy, ['Always'])]),
    ...(spec?.activeDeadlineSeconds !== undefined
      ? [forbidden(path.child('spec', 'activeDeadlineSeconds'), deadline)]
      : []),
  ];
}
