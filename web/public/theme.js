// Before the first paint: the theme that was chosen, or the system's. The rest of the settings can wait for the client.
(function () {
  var chosen = null;
  try {
    chosen = JSON.parse(localStorage.getItem('parlor.settings') || '{}').theme;
  } catch {
    /* none was kept */
  }
  var light = chosen === 'light' || (chosen !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
})();
