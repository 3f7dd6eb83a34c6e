import { INGRESS_CLASSES, INGRESSES } from '#lib/api/types/resources.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { defaultClass } from '../default-class.ts';
import { isAbout } from '../refusal.ts';

const MARK = 'ingressclass.kubernetes.io/is-default-class';
const LEGACY = 'kubernetes.io/ingress.class';

/** Sets the default class on an ingress that names none in the field or the legacy annotation. Does nothing if no default exists. */
export function defaultIngressClass(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    operations: ['CREATE'],
    about: ['networking.k8s.io/ingresses'],
    async admit(attributes) {
      if (!isAbout(attributes, INGRESSES) || attributes.object === undefined) return;
      const { spec } = attributes.object;
      if (LEGACY in annotationsOf(attributes.object) || spec.ingressClassName !== undefined) return;
      const name = defaultClass(await lookup.list(INGRESS_CLASSES), [MARK]);
      if (name !== undefined) spec.ingressClassName = name;
    },
  };
}
