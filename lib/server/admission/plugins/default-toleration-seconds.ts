import type { Toleration } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

/** Lets a pod stay for five minutes on a node that is not ready or unreachable, unless the pod specifies otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    if (!isAbout(attributes, PODS) || attributes.object === undefined) return;
    const { spec } = attributes.object;
    const given = spec.tolerations ?? [];
    const missing = TAINTS.filter((taint) => !given.some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return;
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    spec.tolerations = [...given, ...added];
  },
};

const tolerates = ({ key = '', effect = '' }: Toleration, taint: string): boolean =>
  ['', taint].includes(key) && ['', 'NoExecute'].includes(effect);
