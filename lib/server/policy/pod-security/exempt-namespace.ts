import { quote } from '#lib/machinery/go.ts';
import { isPrivileged, levelLabel, MODES, type Policy, policyText, samePolicy, versionLabel } from './policy.ts';

interface NamespacePolicy {
  readonly labels: Readonly<Record<string, string>>;
  readonly defaults: Policy;
}

/** Returns the warning about labels of an exempt namespace. Undefined if the labels restrict nothing. */
export function exemptNamespaceWarning(
  namespace: string,
  policy: Policy,
  { labels, defaults }: NamespacePolicy,
): string | undefined {
  const alike = MODES.every(
    (mode) =>
      samePolicy(policy[mode], defaults[mode]) ||
      (policy[mode].level === 'privileged' && defaults[mode].level === 'privileged'),
  );
  if (isPrivileged(policy) || alike) return undefined;
  const asked = MODES.filter(
    (mode) =>
      policy[mode].level !== 'privileged' &&
      (labels[levelLabel(mode)] !== undefined || labels[versionLabel(mode)] !== undefined),
  ).map((mode) => `${mode}=${policyText(policy[mode])}`);
  return `namespace ${quote(namespace)} is exempt from Pod Security, and the policy (${asked.join(', ')}) will be ignored`;
}
