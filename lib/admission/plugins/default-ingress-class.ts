import { annotationsOf } from '#lib/machinery/meta.ts';
import { at, ensure, has } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultClass } from '../default-class.ts';
import { isAbout } from '../refusal.ts';

const CLASSES = { group: 'networking.k8s.io', resource: 'ingressclasses' };
const MARK = 'ingressclass.kubernetes.io/is-default-class';
const LEGACY = 'kubernetes.io/ingress.class';

/** An ingress that names no class, by field or by the old annotation, gets the default one, where there is one. */
export function defaultIngressClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    operations: ['CREATE'],
    about: ['networking.k8s.io/ingresses'],
    async admit(attributes) {
      const { object } = attributes;
      if (!isAbout(attributes, 'networking.k8s.io/ingresses') || object === undefined) return;
      if (LEGACY in annotationsOf(object) || has(at(object, 'spec'), 'ingressClassName')) return;
      const name = defaultClass(await lookup.list(CLASSES), [MARK]);
      if (name !== undefined) ensure(object, 'spec')['ingressClassName'] = name;
    },
  };
}
