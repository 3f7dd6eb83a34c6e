import type { KindStrategies } from '../../strategy.ts';
import { mutatingAdmissionPolicyBindingStrategy, validatingAdmissionPolicyBindingStrategy } from './policy-binding.ts';
import { mutatingAdmissionPolicyStrategy, validatingAdmissionPolicyStrategy } from './policy.ts';
import { mutatingWebhookConfigurationStrategy, validatingWebhookConfigurationStrategy } from './webhooks.ts';

export const admissionRegistrationStrategies: KindStrategies = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': mutatingAdmissionPolicyStrategy,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': mutatingAdmissionPolicyBindingStrategy,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': mutatingWebhookConfigurationStrategy,
  'admissionregistration.k8s.io/validatingadmissionpolicies': validatingAdmissionPolicyStrategy,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': validatingAdmissionPolicyBindingStrategy,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': validatingWebhookConfigurationStrategy,
};
