import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { isTrue } from './job-conditions.ts';
import type { StatusChange } from './job-status-change.ts';

/** Validates that conditions are compatible and set in order. */
export function conditionErrors({ job, spec, flips, changes }: StatusChange, path: FieldPath): FieldError[] {
  const is = (type: string): boolean => isTrue(job, type);
  const complete = is('Complete');
  const failed = is('Failed');
  const target = is('FailureTarget');
  const met = is('SuccessCriteriaMet');
  const rules: readonly (readonly [boolean, string])[] = [
    [flips('Complete', 'Failed') && complete && failed, 'cannot set Complete=True and Failed=true conditions'],
    [
      flips('Complete', 'FailureTarget') && complete && target,
      'cannot set Complete=True and FailureTarget=true conditions',
    ],
    [
      (flips('Failed') || changes('failedIndexes')) && failed && !target,
      'cannot set Failed=True condition without the FailureTarget=true condition',
    ],
    [
      flips('Complete', 'SuccessCriteriaMet') && complete && !met,
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
    ],
    [met && failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'],
    [met && target, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'],
    [
      spec.successPolicy !== undefined && !met && complete,
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
    ],
  ];
  return rules.flatMap(([broken, message]) => (broken ? [invalid(path.child('conditions'), undefined, message)] : []));
}
