import type { Pod, PodSpec } from '#lib/api/types/core.v1.ts';
import { normalizeSysctl, type SysctlNamespace, sysctlNamespace } from '#lib/helpers/component-helpers/node/sysctl.ts';
import { quote } from '#lib/machinery/go.ts';
import type { PodAdmitHandler, PodAdmitResult } from '../lifecycle/pod-admit.ts';

const MAX_LENGTH = 253;
const SEGMENT = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const LAST_SEGMENT = /^([a-z0-9][-_a-z0-9]*)?[a-z0-9*]$/;
const PATTERN = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]';

function isPattern(text: string): boolean {
  const segments = text.split(/[./]/);
  const last = segments.pop() ?? '';
  return text.length <= MAX_LENGTH && segments.every((segment) => SEGMENT.test(segment)) && LAST_SEGMENT.test(last);
}

/** Rejects pods with kernel settings that the node does not allow (upstream: sysctl.patternAllowlist). */
export class SysctlAllowlist implements PodAdmitHandler {
  readonly #names = new Map<string, SysctlNamespace>();
  readonly #prefixes = new Map<string, SysctlNamespace>();

  /** `patterns` are names, or prefixes followed by `*`. Throws Error with upstream's text for one that pods cannot set. */
  constructor(patterns: readonly string[]) {
    for (const pattern of patterns) {
      if (!isPattern(pattern))
        throw new Error(
          `sysctl ${quote(pattern)} must have at most ${MAX_LENGTH} characters and match regex ${PATTERN}`,
        );
      const normal = normalizeSysctl(pattern);
      const name = normal.split('*')[0] ?? '';
      const namespace = sysctlNamespace(name);
      if (namespace === undefined) throw new Error(`the sysctls ${quote(name)} are not known to be namespaced`);
      (normal.includes('*') ? this.#prefixes : this.#names).set(name, namespace);
    }
  }

  /** Rejects with the reason SysctlForbidden. */
  async admit({ spec }: Pod): Promise<PodAdmitResult> {
    for (const { name } of spec.securityContext?.sysctls ?? []) {
      const normal = normalizeSysctl(name);
      const refusal = this.#refusal(normal, spec);
      if (refusal !== undefined)
        return { admit: false, reason: 'SysctlForbidden', message: `forbidden sysctl: ${quote(normal)} ${refusal}` };
    }
    return { admit: true };
  }

  #refusal(name: string, { hostIPC, hostNetwork }: PodSpec): string | undefined {
    const namespace = this.#names.get(name) ?? [...this.#prefixes].find(([prefix]) => name.startsWith(prefix))?.[1];
    if (namespace === undefined) return 'not allowlisted';
    const isShared = namespace === 'IPC' ? hostIPC === true : hostNetwork === true;
    return isShared ? `not allowed with host ${namespace} enabled` : undefined;
  }
}
