import { stringAt } from '#lib/machinery/json-value.ts';
import { count, has, text } from '#lib/machinery/unstructured.ts';
import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { overlappingIndex, parseIndexes } from './indexes.ts';
import { isIndexed } from './job-spec.ts';
import type { StatusChange } from './job-status-change.ts';

/** `completedIndexes` and `failedIndexes`: well formed, disjoint, and only where the job has indexes. */
export function indexErrors(change: StatusChange, path: FieldPath): FieldError[] {
  const { spec, status, changes } = change;
  const failed = stringAt(status, 'failedIndexes');
  const perIndex = has(spec, 'backoffLimitPerIndex');
  return [
    ...(changes('completedIndexes') ? format(change, 'completedIndexes', path) : []),
    ...(changes('failedIndexes') && perIndex ? format(change, 'failedIndexes', path) : []),
    ...(changes('completedIndexes') && text(status, 'completedIndexes') !== '' && !isIndexed(spec)
      ? [
          wrong(
            change,
            'completedIndexes',
            'cannot set non-empty completedIndexes when non-indexed completion mode',
            path,
          ),
        ]
      : []),
    ...(changes('failedIndexes') && failed !== undefined && !perIndex
      ? [wrong(change, 'failedIndexes', 'cannot set non-null failedIndexes when backoffLimitPerIndex is null', path)]
      : []),
    ...(changes('completedIndexes', 'failedIndexes') ? overlap(change, path) : []),
  ];
}

function wrong({ status }: StatusChange, field: string, message: string, path: FieldPath): FieldError {
  return invalid(path.child(field), text(status, field), message);
}

function format(change: StatusChange, field: string, path: FieldPath): FieldError[] {
  const { spec, status } = change;
  if (!has(spec, 'completions')) return [];
  const parsed = parseIndexes(text(status, field), Number(count(spec, 'completions')));
  return typeof parsed === 'string' ? [wrong(change, field, `error parsing ${field}: ${parsed}`, path)] : [];
}

function overlap(change: StatusChange, path: FieldPath): FieldError[] {
  const { spec, status } = change;
  const completed = text(status, 'completedIndexes');
  const failed = text(status, 'failedIndexes');
  if (!has(spec, 'completions') || completed === '' || failed === '') return [];
  const index = overlappingIndex(completed, failed, Number(count(spec, 'completions')));
  const message = `failedIndexes and completedIndexes overlap at index: ${index}`;
  return index === undefined ? [] : [wrong(change, 'failedIndexes', message, path)];
}
