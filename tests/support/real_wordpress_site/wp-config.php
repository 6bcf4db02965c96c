<?php
// The site has the address that it is called by, so that it can be behind a gateway.
$test_url = 'http://' . ($_SERVER['HTTP_HOST'] ?? '127.0.0.1');
define('WP_HOME', $test_url);
define('WP_SITEURL', $test_url);
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:' . getenv('TEST_DATABASE_SOCKET'));
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $test_name) {
    define("{$test_name}_KEY", hash('sha256', $test_name));
    define("{$test_name}_SALT", hash('sha256', "$test_name salt"));
}
define('WP_ENVIRONMENT_TYPE', 'local'); // application passwords without https
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
