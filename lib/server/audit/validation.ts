import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { LEVELS, STAGES } from './event.ts';
import type { GroupResources, Policy, PolicyRule } from './policy.ts';

const known: readonly string[] = LEVELS;
const stages: readonly string[] = STAGES;

/** Upstream's ValidatePolicy. */
export function validatePolicy({ omitStages, rules }: Policy): FieldError[] {
  return [
    ...validateOmitStages(omitStages, FieldPath.of('omitStages')),
    ...rules.flatMap((rule, i) => validateRule(rule, FieldPath.of('rules').index(i))),
  ];
}

function validateRule(rule: PolicyRule, path: FieldPath): FieldError[] {
  const { nonResourceURLs, resources, namespaces } = rule;
  const urls = path.child('nonResourceURLs');
  const both = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...validateLevel(rule.level, path.child('level')),
    ...nonResourceURLs.flatMap((url, i) => validateUrl(url, urls.index(i))),
    ...resources.flatMap((group) => validateResources(group, path.child('resources'))),
    ...validateOmitStages(rule.omitStages, path.child('omitStages')),
    ...(both
      ? [invalid(urls, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

function validateLevel(level: string, path: FieldPath): FieldError[] {
  if (level === '') return [required(path)];
  return known.includes(level) ? [] : [notSupported(path, level, known)];
}

function validateUrl(url: string, path: FieldPath): FieldError[] {
  if (url === '*') return [];
  const errors: FieldError[] = [];
  if (!url.startsWith('/')) errors.push(invalid(path, url, "non-resource URL rules must begin with a '/' character"));
  if (url.slice(0, -1).includes('*'))
    errors.push(invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule"));
  return errors;
}

function validateResources({ group, resources, resourceNames }: GroupResources, path: FieldPath): FieldError[] {
  const faults = group === '' || group === '*' ? [] : nameIsDNSSubdomain(group, false);
  const named = resourceNames.length > 0 && resources.length === 0;
  return [
    ...(faults.length === 0 ? [] : [invalid(path.child('group'), group, faults.join(','))]),
    ...(named
      ? [invalid(path.child('resourceNames'), resourceNames, 'using resourceNames requires at least one resource')]
      : []),
  ];
}

function validateOmitStages(given: readonly string[], path: FieldPath): FieldError[] {
  return given.flatMap((stage, i) =>
    stages.includes(stage) ? [] : [invalid(path.index(i), stage, `allowed stages are ${stages.join(',')}`)],
  );
}
