// The server that this page came from.

import { Api } from '@parlor/client';

export const api = new Api({ url: '' });
