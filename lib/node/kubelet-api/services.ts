import type { ServiceClient } from '#lib/machinery/rpc.ts';
import type { DevicePluginDefinition } from './generated/deviceplugin-v1beta1.ts';
import type { DRAResourceHealthDefinition } from './generated/dra-health-v1alpha1.ts';
import type { DRAPluginDefinition } from './generated/dra-v1.ts';
import type { RegistrationDefinition } from './generated/pluginregistration-v1.ts';

/** The client of a device plugin (v1beta1). The kubelet uses it. */
export type DevicePluginClient = ServiceClient<DevicePluginDefinition>;
/** The client of a DRA driver. v1 and v1beta1 have the same messages, except for shares in v1. */
export type DRAClient = ServiceClient<DRAPluginDefinition>;
/** The client for the health of a DRA driver's devices. */
export type DRAHealthClient = ServiceClient<DRAResourceHealthDefinition>;
/** The client for a plugin's information about itself, on its socket in `plugins_registry`. */
export type RegistrationClient = ServiceClient<RegistrationDefinition>;
