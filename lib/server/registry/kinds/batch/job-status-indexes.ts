import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { overlappingIndex, parseIndexes } from './indexes.ts';
import { isIndexed } from './job-spec.ts';
import type { StatusChange } from './job-status-change.ts';

/** Validates `completedIndexes` and `failedIndexes`: well-formed, disjoint, and set only for indexed jobs. */
export function indexErrors(change: StatusChange, path: FieldPath): FieldError[] {
  const { spec, status, changes } = change;
  const failed = status.failedIndexes;
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  return [
    ...(changes('completedIndexes') ? format(change, 'completedIndexes', path) : []),
    ...(changes('failedIndexes') && perIndex ? format(change, 'failedIndexes', path) : []),
    ...(changes('completedIndexes') && (status.completedIndexes ?? '') !== '' && !isIndexed(spec)
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

type IndexField = 'completedIndexes' | 'failedIndexes';

function wrong({ status }: StatusChange, field: IndexField, message: string, path: FieldPath): FieldError {
  return invalid(path.child(field), status[field] ?? '', message);
}

function format(change: StatusChange, field: IndexField, path: FieldPath): FieldError[] {
  const { spec, status } = change;
  if (spec.completions === undefined) return [];
  const parsed = parseIndexes(status[field] ?? '', spec.completions);
  return typeof parsed === 'string' ? [wrong(change, field, `error parsing ${field}: ${parsed}`, path)] : [];
}

function overlap(change: StatusChange, path: FieldPath): FieldError[] {
  const { spec, status } = change;
  const completed = status.completedIndexes ?? '';
  const failed = status.failedIndexes ?? '';
  if (spec.completions === undefined || completed === '' || failed === '') return [];
  const index = overlappingIndex(completed, failed, spec.completions);
  const message = `failedIndexes and completedIndexes overlap at index: ${index}`;
  return index === undefined ? [] : [wrong(change, 'failedIndexes', message, path)];
}
