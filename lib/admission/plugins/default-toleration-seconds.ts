import { arrayAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, items, text } from '#lib/machinery/unstructured.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isAbout } from '../refusal.ts';

const TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const SECONDS = 300;

/** A pod stays for five minutes on a node that is not ready or not reachable, unless it says otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  operations: ['CREATE', 'UPDATE'],
  admit(attributes) {
    const { object } = attributes;
    if (!isAbout(attributes, '/pods') || object === undefined) return;
    const spec = ensure(object, 'spec');
    const given = items(spec, 'tolerations');
    const missing = TAINTS.filter((taint) => !given.some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return;
    const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    spec['tolerations'] = [...arrayAt(spec, 'tolerations'), ...added];
  },
};

function tolerates(toleration: JsonObject, taint: string): boolean {
  return ['', taint].includes(text(toleration, 'key')) && ['', 'NoExecute'].includes(text(toleration, 'effect'));
}
